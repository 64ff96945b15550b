import type { Writable } from 'node:stream';
import type { Folding } from './shorten.ts';
import { shorten } from './shorten.ts';

const WIDTH = 100;

/** Prints the talk. */
export interface Printer {
  title(text: string): void;
  text(...lines: readonly string[]): void;
  /** An explanation that is needed once. */
  note(topic: string, ...lines: readonly string[]): void;
  /** What somebody does or says, before its message. */
  says(from: 'client' | 'server', words: string): void;
  /** The same once more: the message would add nothing. */
  again(words: string): void;
  /** Lines of the wire that are no JSON, such as headers. */
  wire(...lines: readonly string[]): void;
  message(value: unknown, folding: Folding): void;
}

export function printer(out: Writable): Printer {
  const noted = new Set<string>();
  const print = (lines: readonly string[], indent = ''): void => {
    for (const line of lines) out.write(line === '' ? '\n' : `${indent}${line}\n`);
  };
  return {
    title: (text) => print(['', `━━ ${text} ${'━'.repeat(Math.max(0, WIDTH - text.length - 4))}`, '']),
    text: (...lines) => print(lines),
    note(topic, ...lines) {
      if (noted.has(topic)) return;
      noted.add(topic);
      print(lines, '  · ');
    },
    says: (from, words) => print(['', `${from === 'client' ? '→' : '←'} ${words}`]),
    again: (words) => print([`← ${words}`]),
    wire: (...lines) => print(lines, '    '),
    message: (value, folding) => print(shorten(value, folding, WIDTH).split('\n'), '    '),
  };
}
