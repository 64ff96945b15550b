import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileSchema } from './compile-schema.ts';
import type { CompiledSchema } from './compile-schema.ts';
import { isJsonObject } from './json-schema.ts';
import type { SchemaNode } from './json-schema.ts';
import { SchemaError } from './schema-problem.ts';

/**
 * The official suite is not on the package registry, so a copy of it is named by the environment:
 * JSON_SCHEMA_TEST_SUITE=<checkout of json-schema-org/JSON-Schema-Test-Suite>.
 */
const suite = process.env['JSON_SCHEMA_TEST_SUITE'];
const skip = suite === undefined ? 'JSON_SCHEMA_TEST_SUITE is not set' : false;

interface Group {
  readonly description: string;
  readonly schema: SchemaNode;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const DIALECTS = [
  { folder: 'draft2020-12', uri: 'https://json-schema.org/draft/2020-12/schema' },
  { folder: 'draft2019-09', uri: 'https://json-schema.org/draft/2019-09/schema' },
  { folder: 'draft7', uri: 'http://json-schema.org/draft-07/schema#' },
];

/** Files are read as the suite defines them. */
function readGroups(folder: string): readonly (Group & { readonly file: string })[] {
  const directory = join(suite ?? '', 'tests', folder);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .flatMap((file) => {
      const groups: Group[] = JSON.parse(readFileSync(join(directory, file), 'utf8'));
      return groups.map((group) => ({ ...group, file }));
    });
}

/** The suite leaves `$schema` out of most draft-07 files; without it mcpwire means 2020-12. */
function declare(schema: SchemaNode, uri: string): SchemaNode {
  return isJsonObject(schema) && schema['$schema'] === undefined ? { $schema: uri, ...schema } : schema;
}

/** Why a schema of the suite is refused, where that is right: mcpwire fetches nothing. */
const RIGHTLY_REFUSED = /leads outside this schema|dialect .* is not supported/;

for (const { folder, uri } of DIALECTS) {
  test(
    `[BASE-32] [BASE-36] the official suite for ${folder} passes, and quick never says yes to an invalid value`,
    { skip },
    async () => {
      const failures: string[] = [];
      let ran = 0;
      let accepted = 0;
      let refused = 0;
      for (const group of readGroups(folder)) {
        const name = `${group.file}: ${group.description}`;
        let compiled: CompiledSchema;
        try {
          compiled = compileSchema(declare(group.schema, uri));
        } catch (error) {
          if (!(error instanceof SchemaError)) throw error;
          refused += group.tests.length;
          if (!RIGHTLY_REFUSED.test(error.message)) failures.push(`${name} refused: ${error.message}`);
          continue;
        }
        for (const { description, data, valid } of group.tests) {
          ran += 1;
          const issues = await compiled.check(data);
          if ((issues.length === 0) !== valid) {
            failures.push(`${name}: ${description}: ${JSON.stringify(issues)}`);
          }
          if (compiled.quick(data)) {
            accepted += 1;
            if (!valid || issues.length > 0) failures.push(`${name}: ${description}: quick says yes`);
          }
        }
      }
      console.log(
        `${folder}: ${ran} cases ran, ${refused} in schemas refused, ${accepted} accepted by quick`,
      );
      assert.deepEqual(failures, []);
    },
  );
}
