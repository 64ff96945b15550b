// Writes the names that each entry exports to api/<package>/<entry>.md, so that a change of the public surface shows in
// review. With --check: only compares.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

const EXPORT = /^export (type )?\{([^}]*)\}/gm;
const check = process.argv.includes('--check');

for (const name of readdirSync('packages')) {
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  for (const [subpath, target] of Object.entries(exports)) {
    if (typeof target !== 'object') continue;
    const report = reportOf(
      subpath.replace('.', name),
      readFileSync(`packages/${name}/${target.types}`, 'utf8'),
    );
    const file = `api/${name}/${subpath === '.' ? 'index' : subpath.slice(2)}.md`;
    if (existsSync(file) && readFileSync(file, 'utf8') === report) continue;
    if (check) {
      console.error(`${file} is not what ${subpath} exports: run npm run api-report`);
      process.exitCode = 1;
    } else {
      mkdirSync(`api/${name}`, { recursive: true });
      writeFileSync(file, report);
    }
  }
}

function reportOf(entry, declarations) {
  const names = { values: [], types: [] };
  for (const [, type, list] of declarations.matchAll(EXPORT)) {
    names[type === undefined ? 'values' : 'types'].push(...list.split(',').map((item) => item.trim()));
  }
  const lines = Object.entries(names)
    .filter(([, list]) => list.length > 0)
    .flatMap(([kind, list]) => [
      '',
      `## ${kind}`,
      '',
      ...list
        .filter((item) => item !== '')
        .toSorted()
        .map((item) => `- \`${item}\``),
    ]);
  return `${[`# ${entry}`, ...lines].join('\n')}\n`;
}
