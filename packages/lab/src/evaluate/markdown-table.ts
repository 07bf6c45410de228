/** A table; cells are written as they are. Numbers stand to the right, words to the left. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  cells: '---:' | '---' = '---:',
): string {
  const row = (of: readonly string[]): string => `| ${of.join(' | ')} |`
  return [row(head), row(head.map((_, i) => (i === 0 ? '---' : cells))), ...rows.map(row)].join('\n')
}
