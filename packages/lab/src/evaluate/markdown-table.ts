/** A table; cells are not escaped. Numbers are right-aligned, text left-aligned. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  cells: '---:' | '---' = '---:',
): string {
  const row = (of: readonly string[]): string => `| ${of.join(' | ')} |`
  return [row(head), row(head.map((_, i) => (i === 0 ? '---' : cells))), ...rows.map(row)].join('\n')
}
