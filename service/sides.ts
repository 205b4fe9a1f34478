// The size of an item or a locker in any orientation: its three sides in centimeters, smallest first. An item fits in
// one of its six orientations exactly if no side is longer than the locker's side at the same position.

export interface Sides {
  readonly smallSide: number;
  readonly middleSide: number;
  readonly largeSide: number;
}

export interface Box {
  readonly width: number;
  readonly height: number;
  readonly length: number;
}

export function sidesOf({ width, height, length }: Box): Sides {
  const smallSide = Math.min(width, height, length);
  const largeSide = Math.max(width, height, length);
  const middleSide = [width, height, length].sort((one, other) => one - other)[1] ?? largeSide;
  return { smallSide, middleSide, largeSide };
}

export function fits(item: Sides, locker: Sides): boolean {
  return (
    item.smallSide <= locker.smallSide &&
    item.middleSide <= locker.middleSide &&
    item.largeSide <= locker.largeSide
  );
}

export const formatSides = ({ smallSide, middleSide, largeSide }: Sides): string =>
  `${smallSide} x ${middleSide} x ${largeSide} cm`;
