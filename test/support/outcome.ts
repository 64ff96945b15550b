import assert from 'node:assert/strict';

/** How a call ends: with a text, or with an error. */
export async function outcome(
  work: Promise<{ readonly text?: string }>,
): Promise<{ readonly error?: Error; readonly text?: string | undefined }> {
  try {
    return { text: (await work).text };
  } catch (error) {
    assert.ok(error instanceof Error);
    return { error };
  }
}
