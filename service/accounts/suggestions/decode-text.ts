// Turns the bytes of a text file into text: programs write CSV in UTF-8, UTF-16 or Windows-1252, and seldom say which.

/**
 * A byte order mark decides; without one, NULs in the places of ASCII mean UTF-16, and bytes that are not UTF-8
 * are Windows-1252.
 */
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
