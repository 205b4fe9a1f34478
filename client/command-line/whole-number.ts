// A whole number as the value of an option.
import { InvalidArgumentError } from 'commander';

export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
  return value;
};
