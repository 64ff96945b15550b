// Which rules of the specification have a test: reads the ids that test names cite, `[BASE-52]`, from the sources.
// Fails where a rule in reach has no test, or a test cites an id that doesn't exist.
import { readdirSync, readFileSync } from 'node:fs';

const RULES = 'test/rules/rules.json';
const FOLDERS = ['test', 'packages'];
const TITLE = /\btest\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
const CITED = /\[([A-Z]+-\d+)\]/g;

const rules = JSON.parse(readFileSync(RULES, 'utf8'));
const known = new Set(rules.map((rule) => rule.id));
const { cited, unknown } = readCitations();

/** Only what must be done, and by a server, has to have a test; tests may cite any rule. */
const binding = rules.filter((rule) => /MUST/.test(rule.level) && ['server', 'both'].includes(rule.binds));
const inReach = binding.filter((rule) => rule.where === undefined);
const missing = inReach.filter((rule) => !cited.has(rule.id));
const stale = binding.filter((rule) => rule.where !== undefined && cited.has(rule.id));

for (const page of new Set(binding.map((rule) => rule.page))) {
  const ofPage = inReach.filter((rule) => rule.page === page);
  const without = ofPage.filter((rule) => !cited.has(rule.id)).map((rule) => rule.id);
  const away = binding.filter((rule) => rule.page === page).length - ofPage.length;
  const parts = [`${ofPage.length - without.length}/${ofPage.length}`];
  if (away > 0) parts.push(`${away} elsewhere`);
  if (without.length > 0) parts.push(`missing: ${without.join(' ')}`);
  console.log(`${page.padEnd(44)} ${parts.join(', ')}`);
}
for (const [id, files] of unknown) console.log(`no such rule: ${id} in ${files.join(', ')}`);
for (const { id, where } of stale) console.log(`has a test, and is said to be elsewhere (${where}): ${id}`);
const covered = inReach.length - missing.length;
console.log(`${covered} covered, ${binding.length - inReach.length} elsewhere, ${missing.length} missing`);
process.exit(missing.length + unknown.size + stale.length > 0 ? 1 : 0);

function readCitations() {
  const found = { cited: new Set(), unknown: new Map() };
  for (const file of testFiles()) {
    for (const title of readFileSync(file, 'utf8').matchAll(TITLE)) {
      for (const [, id] of (title[1] ?? title[2] ?? title[3]).matchAll(CITED)) {
        if (known.has(id)) found.cited.add(id);
        else found.unknown.set(id, [...(found.unknown.get(id) ?? []), file]);
      }
    }
  }
  return found;
}

function testFiles() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((file) => `${folder}/${String(file)}`)
      .filter((file) => file.endsWith('.test.ts') && !/\/(?:node_modules|dist)\//.test(file)),
  );
}
