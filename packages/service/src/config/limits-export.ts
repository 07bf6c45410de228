/** Bounds of the export for data warehouses; part of LIMITS. */
export const EXPORT_LIMITS = {
  export: {
    /** rows of one file: some 150 MB of trades, which warehouses load in one piece, and what a killed export does again */
    partRows: 1_000_000,
    /** rows of one row group, of which one is held in memory: some 20 MB of trades, as warehouses like them */
    groupRows: 100_000,
    /** characters of text in one row group: descriptions have up to 2,000 each */
    groupText: 32 << 20,
    /** mints, and addresses, whose text is kept at hand: some 150 bytes each */
    names: 100_000,
    /** bytes of a manifest that is read: some 200,000 files, centuries of the main network */
    manifestBytes: 64 << 20,
  },
} as const
