/** Calls one of several listeners: what it throws is nobody else's loss, and still seen, as an uncaught exception. */
export function safely(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
