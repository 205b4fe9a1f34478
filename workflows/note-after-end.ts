// Keeps a note on a case that has ended (contract/flows/after-end.ts). It ends later than the process, and so outlives it.
export async function NoteAfterEnd(): Promise<void> {
  // Its memo has the note.
}
