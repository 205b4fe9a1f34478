// Some at a time, as many as there are lanes: each lane begins the next when it has done one.
import pLimit from 'p-limit';

export async function inLanes(
  lanes: number,
  count: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  await pLimit(lanes).map(
    Array.from({ length: count }, (_, index) => index),
    work,
  );
}
