// The printed form of the rows: one line each.
const columns = ['ours/limit', 'ours/official', 'official/limit'];

export function printHeading() {
  console.log(line('workload', 'metric', columns, 'medians'));
}

export function printRow(workload, { metric, unit, medians, ratios }) {
  const cells = columns.map((column) => (ratios ? number(ratios[column]) : ''));
  const figures = Object.entries(medians).map(([peer, value]) => `${peer} ${number(value)}`);
  console.log(line(workload, metric, cells, `${figures.join(', ')} ${unit}`));
}

function line(workload, metric, cells, rest) {
  const padded = cells.map((cell, index) => cell.padStart(columns[index].length + 2));
  return `${workload.padEnd(18)}${metric.padEnd(34)}${padded.join('')}  ${rest}`;
}

function number(value) {
  if (value === null) return '–';
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
