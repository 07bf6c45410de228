import { openConnection } from '@ti/service/store/connection.ts'
import { createMeta } from '@ti/service/store/meta.ts'
import { stateFile } from '@ti/service/store/open.ts'

export const OTHER_FINGERPRINT = '0123456789abcdef'

/** Makes the state of a closed data directory one that says of itself what `change` says, as another build leaves it. */
export function markState(dir: string, change: { readonly fingerprint?: string; readonly format?: number }): void {
  const connection = openConnection(stateFile(dir), { cacheKiB: 256 })
  try {
    const meta = createMeta(connection)
    meta.writeIdentity({ ...meta.identity(), ...change })
  } finally {
    connection.close()
  }
}
