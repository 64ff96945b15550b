import process from 'node:process';

/** What a server gets of this process's environment where nothing else is said: enough to run, no secrets. */
const INHERITED: readonly string[] =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'TMP',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

/** Variables by name; `undefined` takes one away. */
export type Environment = { readonly [name: string]: string | undefined };

/**
 * The environment of a server's process: an allow-list of this process's variables, with what was given on top.
 * `inherit`: further names of this process's variables, or `true` for all of them.
 */
export function childEnvironment(
  given: Environment = {},
  inherit: true | readonly string[] = [],
): { readonly [name: string]: string } {
  const names = inherit === true ? Object.keys(process.env) : [...INHERITED, ...inherit];
  const env: { [name: string]: string } = {};
  const put = (name: string, value: string | undefined): void => {
    // A shell function that was exported: code, and of no use without its shell.
    if (value !== undefined && !value.startsWith('()')) env[name] = value;
  };
  for (const name of names) put(name, process.env[name]);
  for (const [name, value] of Object.entries(given)) {
    delete env[sameName(env, name)];
    put(name, value);
  }
  return env;
}

/** On Windows the case of a name doesn't count: `Path` replaces `PATH`. */
function sameName(env: Environment, name: string): string {
  if (process.platform !== 'win32') return name;
  return Object.keys(env).find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
}
