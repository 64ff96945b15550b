// Installs what the lock file names, where it isn't there yet. Safe to call before everything else.
// setup.mjs [folder…] does the same for folders that are no workspaces.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

// What npm notes down at the end of an installation.
const INSTALLED = 'node_modules/.package-lock.json';

install('.', []);
for (const folder of process.argv.slice(2)) install(folder, ['--no-workspaces']);

function install(folder, options) {
  if (isInstalled(folder)) return;
  console.log(`installing dependencies${folder === '.' ? '' : ` of ${folder}`} …`);
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function isInstalled(folder) {
  if (!existsSync(`${folder}/${INSTALLED}`)) return false;
  const wanted = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')).packages;
  const there = JSON.parse(readFileSync(`${folder}/${INSTALLED}`, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional === true || there[path]?.version === entry.version,
  );
}
