// Splits a byte stream into lines; what is left of a chunk waits for the next one.
export function lineReader(onLine) {
  let pending = [];

  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const tail = chunk.subarray(start, end);
      const line = pending.length === 0 ? tail : Buffer.concat([...pending, tail]);
      pending = [];
      start = end + 1;
      onLine(line);
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  };
}

/** The first line of a stream; what follows is left to others. */
export function firstLine(stream) {
  return new Promise((resolve) => {
    const receive = lineReader((line) => {
      stream.off('data', receive);
      resolve(line.toString());
    });
    stream.on('data', receive);
  });
}
