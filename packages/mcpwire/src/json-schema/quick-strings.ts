/** True only if the string surely has at least `least` and at most `most` code points. */
export function hasLength(value: string, least: number, most: number): boolean {
  const units = value.length;
  // A code point takes one or two units, so most strings are decided without a look at them.
  if (units >= least * 2 && units <= most) return true;
  if (units < least || units > most) return false;
  for (let index = 0; index < units; index += 1) {
    const unit = value.charCodeAt(index);
    // Surrogates make the count differ from the length; the library decides.
    if (unit >= 0xd800 && unit <= 0xdfff) return false;
  }
  return true;
}
