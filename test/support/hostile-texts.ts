// Texts that would become something else than text on a page that does not take care.

export const hostileTexts: readonly string[] = [
  '<script>window.taken=1</script>',
  '<img src=x onerror="window.taken=1">',
  '"><svg onload=window.taken=1>',
  "' onmouseover='window.taken=1",
  '</style><iframe srcdoc="<script>parent.taken=1</script>">',
  '</title></textarea><base href="https://evil.example/">',
  'javascript:window.taken=1',
  '{{constructor.constructor("window.taken=1")()}}',
  '$\u007bwindow.taken=1}',
  '&lt;script&gt;window.taken=1&lt;/script&gt;',
  '\u0000\u0001\u0008\u000b\u001b[31m\u007f\u009b',
  '\u202eevil\u2066\u2069\u200b\u2028\u2029\ufeff',
  '\ufffe\uffff\ud800 half',
  'Z\u0300'.repeat(60),
  'W'.repeat(200),
  ']]>--><!--<![CDATA[',
];

/** Texts that would become something else than text in Markdown. */
export const hostileMarkdown: readonly string[] = [
  '[x](http://evil.example)',
  'https://evil.example/',
  'www.evil.example',
  '<img src=x>',
  '![x](http://evil.example/x.png)',
  '`` `code` ',
  '` ',
  '| a | b |',
  '# heading',
  '1. one',
  '- item\n\n- [ ] task',
  'a\n---\nb\r\n\r\n***bold***',
  '__init__ ~~gone~~ &lt;b&gt; \\',
  '[^1]: note',
];

/** The text of a code span of Markdown (CommonMark, 6.1); null if it is none, or more, or not in one line. */
export function textInCode(markdown: string): string | null {
  const [whole, fence = '', inner = ''] = /^(`+)([^\n\r|]*[^`\n\r|])\1$/u.exec(markdown) ?? [];
  if (whole === undefined || inner.startsWith('`')) return null;
  if ([...inner.matchAll(/`+/g)].some(([run]) => run === fence)) return null;
  return /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
}
