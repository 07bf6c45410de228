/** What an export is about to do, or has done. */
export type ExportNews =
  /** this many bytes of the store are being copied */
  | { readonly kind: 'copying'; readonly bytes: number }
  /** an export that was ended goes on */
  | { readonly kind: 'going on' }
  /** a file is finished */
  | { readonly kind: 'part'; readonly file: string }
  /** rows written by this call, of all it will write */
  | { readonly kind: 'rows'; readonly rows: number; readonly of: number }
