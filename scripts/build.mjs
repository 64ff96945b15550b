// Compiles every package with tsc: one JavaScript file and one declaration file for each source file.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';

for (const name of ['mcpwire']) {
  rmSync(`packages/${name}/dist`, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', `packages/${name}/tsconfig.build.json`],
    { stdio: 'inherit' },
  );
}
