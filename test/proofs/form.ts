// A proof runs in a short form with all tests, and in a long form by `npm run prove`.

export function inForm<Value>({ short, long }: { short: Value; long: Value }): Value {
  return process.env.PROVE === '1' ? long : short;
}
