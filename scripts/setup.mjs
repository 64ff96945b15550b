// Installs what the lock file names, where it isn't there yet. Safe to call before everything else.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

// What npm notes down at the end of an installation.
const INSTALLED = 'node_modules/.package-lock.json';

if (!isInstalled()) {
  console.log('installing dependencies …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function isInstalled() {
  if (!existsSync(INSTALLED)) return false;
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const there = JSON.parse(readFileSync(INSTALLED, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional === true || there[path]?.version === entry.version,
  );
}
