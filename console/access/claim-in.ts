// A claim of a token by its name in the settings; also a nested one, as realm_access.roles. A name with dots may be one claim, like
// https://example.com/groups.
export function claimIn(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (claims[name] !== undefined) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.'))
    found =
      found !== null && typeof found === 'object' && Object.hasOwn(found, part)
        ? (found as Readonly<Record<string, unknown>>)[part]
        : undefined;
  return found;
}
