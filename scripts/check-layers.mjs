// Checks the shape of the source: which folder imports which (layers.json), who may use Node and who re-exports,
// how long files are and what they are called. Types count as imports.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';

const MOST_LINES = 300;
/** Names that say nothing about what is in the file. */
const EMPTY_NAMES = /(^|-)(utils?|helpers?|common|shared|core|base|managers?|impl|misc)(-|\.|$)/;
const FINE_NAMES = ['common-types.ts', 'base64.ts'];
const IMPORT = /^\s*(import|export)\b(?:[^;'"]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g;

const problems = [];
for (const [root, layers] of Object.entries(JSON.parse(readFileSync('layers.json', 'utf8')))) {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)));
  for (const file of files) checkFile(root, layers, file);
  for (const layer of Object.keys(layers)) {
    if (!files.some((file) => file.startsWith(`${layer}/`))) {
      problems.push(`layers.json: ${layer} is no folder`);
    }
  }
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function checkFile(root, layers, file) {
  const [layer] = file.split('/');
  const complain = (what) => problems.push(`${root}/${file}: ${what}`);
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > MOST_LINES) complain(`has ${lines} lines, at most ${MOST_LINES} are allowed`);
  for (const part of file.split('/')) {
    if (EMPTY_NAMES.test(part) && !FINE_NAMES.includes(part)) {
      complain(`"${part}" is a name that says nothing`);
    }
  }
  if (basename(file).startsWith('index.') && !/^(entry|protocol\/revisions)\//.test(file)) {
    complain('an index file is allowed in entry and protocol/revisions alone');
  }
  if (layers[layer] === undefined) complain(`${layer} is not in layers.json`);
  if (file.endsWith('.test.ts')) return;
  for (const [, kind, target] of text.matchAll(IMPORT)) {
    if (kind === 'export' && layer !== 'entry') complain(`re-exports ${target}; only entry does`);
    checkImport(layers, file, target, complain);
  }
  for (const [, target] of text.matchAll(DYNAMIC)) checkImport(layers, file, target, complain);
}

function checkImport(layers, file, target, complain) {
  const [layer] = file.split('/');
  if (target.startsWith('node:') && layer !== 'node') complain(`imports ${target}; only node does`);
  if (!target.startsWith('.')) return;
  const [other] = posix.join(dirname(file), target).split('/');
  if (other === layer || layers[layer]?.includes(other)) return;
  complain(`${layer} may not import ${other} (${target})`);
}
