// What a workload reports. Two kinds of row: peers against each other, and each peer against itself.
import { median, pick } from './rounds.mjs';

/** series: {peer: [value per round]}. Ratios are taken within a round; their median is reported. */
export function comparison(metric, unit, series) {
  return {
    metric,
    unit,
    medians: mediansOf(series),
    ratios: {
      'ours/limit': ratio(series.mcpwire, series.limit),
      'ours/official': ratio(series.mcpwire, series.official),
      'official/limit': ratio(series.official, series.limit),
    },
  };
}

/** A figure of each peer that needs no other peer to be read. */
export function figure(metric, unit, series) {
  return { metric, unit, medians: mediansOf(series) };
}

/** The two rows of a load: what a call costs, and how many there were in a second. */
export function loadRows(samples, unit = 'call') {
  return [
    comparison(
      `CPU per ${unit}`,
      'µs',
      pick(samples, ({ cpuUs, calls }) => cpuUs / calls),
    ),
    comparison(
      `${unit}s per second`,
      '/s',
      pick(samples, ({ calls, ms }) => (calls / ms) * 1000),
    ),
  ];
}

function ratio(above, below) {
  return above && below ? median(above.map((value, round) => value / below[round])) : null;
}

function mediansOf(series) {
  return Object.fromEntries(Object.entries(series).map(([peer, list]) => [peer, median(list)]));
}
