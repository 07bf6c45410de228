/** Progress of an export. */
export type ExportNews =
  /** The store is being copied. */
  | { readonly kind: 'copying'; readonly bytes: number }
  /** An interrupted export continues. */
  | { readonly kind: 'going on' }
  /** A file is finished. */
  | { readonly kind: 'part'; readonly file: string }
  /** Rows written, and rows in total, by this call. */
  | { readonly kind: 'rows'; readonly rows: number; readonly of: number }
