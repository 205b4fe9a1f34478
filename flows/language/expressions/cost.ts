// The units of work that one operation of an expression takes: about half a microsecond each. The data is counted up to what
// is left of the budget: values that hold each other many times can be larger than any memory.
import { calendarLength, countClosed, isCalendar } from '../calendar.ts';
import { bounds } from '../flow-file.ts';
import { daysLookedAt } from '../opening-hours.ts';
import { ExpressionFailure } from './failure.ts';
import { type AnyMap, hasName, isCollection, isMap, namesOf, ReadableValues, valueAt } from './maps.ts';

const PER_CHARACTER = 1 / 32;
const PER_ITEM = 1 / 8;
/** The library lists the names of a map again and again. */
const PER_NAME = 1 / 2;
const PER_COLLECTION = 1 / 2;

/** The library finds the type of a value from the first value in it, and in that again. */
export const DEEPEST_TYPE = 8;
/** What an expression gives has half as many levels; an event from outside may have more. */
const DEEPEST_COMPARED = bounds.depth * 2;

type Measure = (data: readonly unknown[], most: number) => number;

const ofTexts: Measure = (data) =>
  data.reduce<number>((sum, each) => sum + (typeof each === 'string' ? each.length * PER_CHARACTER : 0), 0);

const ofSearch: Measure = (data) =>
  // The worst texts make a search take as long as the product of both lengths.
  ofTexts(data, 0) + (lengthOf(data[0]) * lengthOf(data[1])) / 1_024;

const special: Readonly<Record<string, Measure>> = {
  '+': (data) =>
    data.reduce<number>(
      (sum, each) => sum + (Array.isArray(each) ? each.length * PER_ITEM : 0),
      ofTexts(data, 0),
    ),
  size: ([value], most) => (isMap(value) ? namesOf(value).length * PER_NAME : ofTexts([value], most)),
  contains: ofSearch,
  indexOf: ofSearch,
  lastIndexOf: ofSearch,
  // Each character may become a text of its own.
  split: (data, most) => ofSearch(data, most) + lengthOf(data[0]) / 4,
  join: ofJoin,
  sum: ([list]) => lengthOf(list) * PER_ITEM,
  min: ofItems,
  max: ofItems,
  sort: (data) => {
    const length = lengthOf(data[0]);
    return ofItems(data) * (1 + Math.log2(length + 1)) * 2;
  },
  range: ([length]) => Number(length) * PER_ITEM,
  openLater: ([, by, calendar]) => ofOpenDays(by, calendar),
  openEarlier: ([, by, calendar]) => ofOpenDays(by, calendar),
  closes: ([, calendar]) => ofOpenDays('P1D', calendar),
  isOpen: ([, calendar]) => PER_OPEN_DAY + ofClosedDays(calendar),
  closedOn: ([calendar, days]) => ofItems([days]) * 2 + ofMoreClosedDays(days) + ofClosedDays(calendar),
};

/** The cost of checking one day of a calendar. */
const PER_OPEN_DAY = 8;

function ofOpenDays(by: unknown, calendar: unknown): number {
  const length = calendarLength(by);
  if (!length || !isCalendar(calendar)) return PER_OPEN_DAY;
  return daysLookedAt(calendar, length) * PER_OPEN_DAY + ofClosedDays(calendar);
}

const ofClosedDays = (calendar: unknown): number =>
  isCalendar(calendar) ? calendar.closed.length * PER_ITEM * 2 : 0;

/** Each day of a range. */
const ofMoreClosedDays = (days: unknown): number =>
  Array.isArray(days) ? days.reduce<number>((sum, day) => sum + (countClosed(day) ?? 1), 0) : 0;

type Compare = (data: readonly unknown[], comparison: Comparison) => boolean;

const areEqual: Compare = ([one, other], comparison) => comparison.areEqual(one, other);
const comparing: Readonly<Record<string, Compare>> = {
  '==': areEqual,
  '!=': areEqual,
  in: ([value, list], comparison) =>
    !Array.isArray(list) || list.some((each) => comparison.isOver || comparison.areEqual(value, each)),
};

export interface Cost {
  readonly units: number;
  /** Of an operator that compares: false if it finds nothing that is equal. */
  readonly isEqual?: boolean;
}

/** @param most enough to know: beyond it the budget is spent */
export function costOf(name: string, data: readonly unknown[], most: number): Cost {
  const ofTypes = 1 + data.reduce<number>((sum, each) => sum + costOfType(each), 0);
  const compare = Object.hasOwn(comparing, name) ? comparing[name] : undefined;
  if (!compare) {
    const measure = Object.hasOwn(special, name) ? special[name] : undefined;
    return { units: ofTypes + (measure ?? ofTexts)(data, most) };
  }
  const comparison = new Comparison(most);
  const isEqual = compare(data, comparison);
  return { units: ofTypes + comparison.units, isEqual };
}

/** What a loop costs before its first turn. */
export const costOfIterable = (value: unknown): number =>
  isMap(value) ? namesOf(value).length * PER_NAME : 0;

function costOfType(value: unknown): number {
  let units = 0;
  for (let [each, level] = [value, 0]; isCollection(each) && level <= DEEPEST_TYPE; level++) {
    const names = isMap(each) ? namesOf(each) : [];
    units += PER_ITEM + names.length * PER_NAME;
    each = Array.isArray(each) ? each[0] : valueAt(each as AnyMap, names[0] ?? '');
  }
  return units;
}

/** For a function that looks at each item of a list, or at a field of its maps. */
function ofItems([list, field]: readonly unknown[]): number {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return items.reduce<number>((units, item) => {
    const key = typeof field === 'string' && isMap(item) ? valueAt(item, field) : item;
    return units + PER_ITEM * 2 + (typeof key === 'string' ? key.length * PER_CHARACTER : 0);
  }, 0);
}

function ofJoin([list, separator]: readonly unknown[]): number {
  return lengthOf(list) / 4 + lengthOf(separator) * PER_CHARACTER;
}

/** Refuses a `join` that gives too long a text: a list may have the same long text many times. */
export function mayJoin([list, separator]: readonly unknown[]): void {
  const texts = Array.isArray(list) ? list : [];
  const length = texts.reduce<number>((sum, text) => sum + lengthOf(text) + lengthOf(separator), 0);
  if (length > bounds.contextBytes)
    throw new ExpressionFailure({
      code: 'ValueTooLarge',
      path: '',
      reason: `join gives a text of ${length} characters, expected at most ${bounds.contextBytes}`,
    });
}

/**
 * Compares as the library does, in the same order to the first difference, and counts. But a map has only its own names: the
 * library also finds those that every object inherits, so to it `{"__proto__": {}}` equals every map with one field.
 */
class Comparison {
  readonly #most: number;
  units = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isOver(): boolean {
    return this.units > this.#most;
  }

  areEqual(one: unknown, other: unknown, level = 0): boolean {
    this.units += PER_ITEM;
    if (typeof one === 'string' && typeof other === 'string')
      this.units += Math.min(one.length, other.length) * PER_CHARACTER;
    if (one === other) return true;
    // biome-ignore lint/suspicious/noDoubleEquals: a whole number of CEL and a number of JSON may be the same.
    if (!isCollection(one) || !isCollection(other)) return isNumber(one) && isNumber(other) && one == other;
    // The library compares by recursion: deeper values could use up the stack.
    if (level > DEEPEST_COMPARED) this.units = Number.POSITIVE_INFINITY;
    if (this.isOver) return true;
    this.units += PER_COLLECTION;
    if (Array.isArray(one) || Array.isArray(other))
      return Array.isArray(one) && Array.isArray(other) && this.#areListsEqual(one, other, level);
    return this.#areMapsEqual(one as AnyMap, other as AnyMap, level);
  }

  #areListsEqual(one: readonly unknown[], other: readonly unknown[], level: number): boolean {
    return (
      one.length === other.length &&
      one.every((each, index) => this.isOver || this.areEqual(each, other[index], level + 1))
    );
  }

  #areMapsEqual(one: AnyMap, other: AnyMap, level: number): boolean {
    const names = namesOf(one);
    const others = namesOf(other);
    this.units += (names.length + others.length) * PER_NAME;
    return (
      names.length === others.length &&
      names.every(
        (name) =>
          this.isOver ||
          (hasName(other, name) && this.areEqual(valueAt(one, name), valueAt(other, name), level + 1)),
      )
    );
  }
}

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** The length of a text or a list. */
const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : 0;

/** About a tenth of a second of the slowest work. */
const UNITS_OF_A_STEP = 200_000;
/** About a third of a second, and less than one on a busy machine: as often a worker gives its other processes a turn. */
const UNITS_AT_ONCE = 700_000;
/** Forty processes that never stop take about a quarter of a processor. */
const UNITS_OF_A_MILLISECOND = 10;

/** Looking at a value is less than comparing it. */
const PER_LOOK = 1 / 8;

export class Budget {
  /** Of the process whose work it bounds. */
  readonly readable = new ReadableValues((looks) => this.takeQuietly(looks * PER_LOOK));
  readonly #units: number;
  readonly #atOnce: number;
  #left: number;
  #leftAtOnce: number;
  /** Below zero, it is a debt. */
  #leftInTime: number;
  #at = 0;

  constructor(units = UNITS_OF_A_STEP, atOnce = UNITS_AT_ONCE) {
    this.#units = units;
    this.#atOnce = atOnce;
    this.#left = units;
    this.#leftAtOnce = atOnce;
    this.#leftInTime = atOnce;
  }

  /** For the next item of a list within a step. */
  refill(): void {
    this.#left = this.#units;
  }

  /** For a step that nothing has come before. */
  beginAnew(): void {
    this.refill();
    this.#leftAtOnce = this.#atOnce;
  }

  /** For the next step of a process: at the same moment, it has what the steps before have left. */
  beginStep(at: number): void {
    this.refill();
    if (at === this.#at) return;
    this.#leftInTime = this.#inTime(at);
    this.#leftAtOnce = this.#atOnce;
    this.#at = at;
  }

  #inTime(at: number): number {
    return Math.min(this.#atOnce, this.#leftInTime + (at - this.#at) * UNITS_OF_A_MILLISECOND);
  }

  /** How long its process is to wait before the next step, in milliseconds. */
  restMs(at: number): number {
    const debt = -this.#inTime(at);
    if (debt > 0) return Math.ceil(debt / UNITS_OF_A_MILLISECOND);
    // One moment later, it has all units again.
    return at === this.#at && this.#leftAtOnce < 3 * this.#units ? 1 : 0;
  }

  /** Negative when it is spent. */
  get left(): number {
    return Math.min(this.#left, this.#leftAtOnce);
  }

  get isSpent(): boolean {
    return this.left < 0;
  }

  /** Whether an item of a list may do as much as a step may, and leave as much to the step that follows the list. */
  get isEnoughForAnItem(): boolean {
    return this.#leftAtOnce >= 2 * this.#units;
  }

  take(units: number): void {
    this.takeQuietly(units);
    if (this.isSpent) throw this.exceeded();
  }

  /** For the turns of a loop: it must not throw, because CEL's `exists` goes on after an error. */
  takeQuietly(units: number): void {
    this.#left -= units;
    this.#leftAtOnce -= units;
    this.#leftInTime -= units;
  }

  exceeded(together = this.#leftAtOnce < 0): ExpressionFailure {
    const reason = together
      ? 'the expressions of all steps that follow each other at once do more work than they may'
      : 'the expressions of one step do more work than a step may';
    return new ExpressionFailure({ code: 'TooMuchWork', path: '', reason });
  }
}
