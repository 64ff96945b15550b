// Compiles every package with tsc: one JavaScript file and one declaration file for each source file.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';

for (const name of ['mcpwire']) {
  rmSync(`packages/${name}/dist`, { recursive: true, force: true });
  execFileSync('npx', ['tsc', '-p', `packages/${name}/tsconfig.build.json`], { stdio: 'inherit' });
}
