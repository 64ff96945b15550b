import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The packed package, installed alone in a folder of its own, as a user has it. */
export class InstalledPackage {
  readonly folder = mkdtempSync(join(tmpdir(), 'mcpwire-installed-'));

  constructor() {
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', this.folder];
    const packed = execFileSync('npm', pack, { cwd: 'packages/mcpwire', encoding: 'utf8' });
    const [{ filename }] = JSON.parse(packed) as [{ readonly filename: string }];
    this.write('package.json', JSON.stringify({ private: true, type: 'module' }));
    const install = ['install', '--prefix', this.folder, '--prefer-offline', '--no-audit', '--no-fund'];
    execFileSync('npm', [...install, join(this.folder, filename)], { cwd: this.folder, stdio: 'pipe' });
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Runs a script that is written for the purpose. */
  run(file: string, source: string, flags: readonly string[] = []): Outcome {
    this.write(file, source);
    return this.#node([...flags, file]);
  }

  /** Checks a consumer with the oldest compiler that is supported. */
  typeCheck(project: string): Outcome {
    const tsc = resolve('node_modules/typescript-5.9/bin/tsc');
    return this.#node([tsc, '-p', project]);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #node(args: readonly string[]): Outcome {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }
}
