// Turns the bytes of a text file into text: the programs that write CSV use UTF-8, UTF-16 or Windows-1252, seldom
// saying which.

/** A byte order mark decides; without one, NULs in ASCII places mean UTF-16, and what is no UTF-8 is Windows-1252. */
export function decodeText(content: Uint8Array): string {
  return new TextDecoder(encodingOf(content)).decode(content);
}

function encodingOf(content: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  const [first, second, third, fourth] = content;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  return isUtf8(content) ? 'utf-8' : 'windows-1252';
}

function isUtf8(content: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
