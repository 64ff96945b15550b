// Checks that the files and commands that the documentation names exist. Files are named from the root, or from
// packages/mcpwire/src.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const SOURCE = 'packages/mcpwire/src';
const PATH = /`([\w.-]+(?:\/[\w.-]+)*\/?[\w-]+\.(?:ts|mjs|json|md))`/g;
const LINK = /\]\((?!https?:)([^)#]+)/g;
const COMMAND = /npm run ([\w:-]+)/g;

const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md') && existsSync(name),
);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const page of pages) {
  const text = readFileSync(page, 'utf8');
  const folder = page.includes('/') ? 'docs' : '.';
  for (const [, path] of text.matchAll(PATH)) {
    // A name without a folder may be an example.
    if (!path.includes('/') || existsSync(path) || existsSync(`${SOURCE}/${path}`)) continue;
    complain(page, `${path} does not exist`);
  }
  for (const [, path] of text.matchAll(LINK)) {
    if (!existsSync(`${folder}/${path}`)) complain(page, `the link to ${path} leads nowhere`);
  }
  for (const [, name] of text.matchAll(COMMAND)) {
    if (!Object.hasOwn(scripts, name)) complain(page, `there is no npm run ${name}`);
  }
}

function complain(page, what) {
  console.error(`${page}: ${what}`);
  process.exitCode = 1;
}
