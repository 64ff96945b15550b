// Runs the official JSON Schema test suite: npm run json-schema-suite -- <checkout>
// The checkout is one of json-schema-org/JSON-Schema-Test-Suite, which no package registry carries.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileSchema } from '../.build/packages/mcpwire/src/json-schema/compile-schema.js';
import { SchemaError } from '../.build/packages/mcpwire/src/json-schema/schema-problem.js';

const [checkout] = process.argv.slice(2);
if (checkout === undefined) {
  console.error('usage: npm run json-schema-suite -- <checkout of JSON-Schema-Test-Suite>');
  process.exit(2);
}

const DIALECTS = [
  { folder: 'draft2020-12', uri: 'https://json-schema.org/draft/2020-12/schema' },
  { folder: 'draft2019-09', uri: 'https://json-schema.org/draft/2019-09/schema' },
  { folder: 'draft7', uri: 'http://json-schema.org/draft-07/schema#' },
];

/** Why a schema of the suite is refused, where that is right: mcpwire fetches nothing. */
const RIGHTLY_REFUSED = /leads outside this schema|dialect .* is not supported/;

let failed = 0;
for (const { folder, uri } of DIALECTS) {
  const counts = { ran: 0, refused: 0, accepted: 0 };
  const failures = [];
  for (const group of readGroups(folder)) await runGroup(group, uri, counts, failures);
  for (const failure of failures) console.log(`FAILED ${folder} ${failure}`);
  failed += failures.length;
  console.log(
    `${folder}: ${counts.ran} cases ran, ${failures.length} failed, ` +
      `${counts.refused} in schemas refused, ${counts.accepted} accepted by quick`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;

/** Every value must get the suite's verdict, and quick must never say yes to an invalid one. */
async function runGroup(group, uri, counts, failures) {
  const name = `${group.file}: ${group.description}`;
  let compiled;
  try {
    compiled = compileSchema(declare(group.schema, uri));
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    counts.refused += group.tests.length;
    if (!RIGHTLY_REFUSED.test(error.message)) failures.push(`${name} refused: ${error.message}`);
    return;
  }
  for (const { description, data, valid } of group.tests) {
    counts.ran += 1;
    const issues = await compiled.check(data);
    if ((issues.length === 0) !== valid) failures.push(`${name}: ${description}: ${JSON.stringify(issues)}`);
    if (!compiled.quick(data)) continue;
    counts.accepted += 1;
    if (!valid || issues.length > 0) failures.push(`${name}: ${description}: quick says yes`);
  }
}

function readGroups(folder) {
  const directory = join(checkout, 'tests', folder);
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      JSON.parse(readFileSync(join(directory, file), 'utf8')).map((group) => ({ ...group, file })),
    );
}

/** The suite leaves `$schema` out of most draft-07 files; without it mcpwire means 2020-12. */
function declare(schema, uri) {
  return typeof schema === 'object' && schema.$schema === undefined ? { $schema: uri, ...schema } : schema;
}
