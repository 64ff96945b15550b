// Verifies answers at the speed of the load: the first is parsed and checked in full; a later one whose
// bytes are the same but for the id needs no parsing. Anything else is parsed and checked in full again.
export function createChecker(message) {
  let known;

  return (id, body) => {
    if (known?.matches(id, body)) return;
    message.check(id, JSON.parse(body.toString()));
    if (message.onlyIdVaries) known ??= pattern(id, body);
  };
}

function pattern(id, body) {
  const needle = Buffer.from(`"id":${id}`);
  const at = body.indexOf(needle);
  // More than one place, or another way to write it: every answer is parsed.
  if (at === -1 || body.indexOf(needle, at + 1) !== -1) return { matches: () => false };
  const before = Buffer.from(body.subarray(0, at));
  const after = Buffer.from(body.subarray(at + needle.length));
  return {
    matches: (otherId, other) =>
      other.length === body.length &&
      other.subarray(0, at).equals(before) &&
      other.toString('latin1', at, at + needle.length) === `"id":${otherId}` &&
      other.subarray(at + needle.length).equals(after),
  };
}
