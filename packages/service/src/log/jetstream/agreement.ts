import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  StorageType,
} from '@nats-io/jetstream'

const STREAM = 'ti-fold'
const SUBJECT = 'ti.fold'

/**
 * The fingerprint of the fold that the nodes of a log serve, stored as the newest message of a stream of its own. Both
 * calls retry until they succeed or the node stops.
 */
export type Agreement = ReturnType<typeof createAgreement>

interface AgreementParts {
  readonly manager: Pick<JetStreamManager, 'streams'>
  readonly client: Pick<JetStreamClient, 'publish'>
  /** Replicas of the stream. */
  readonly copies: number
  readonly retry: <T>(question: () => Promise<T>) => Promise<T>
}

export function createAgreement({ manager: { streams }, client, copies, retry }: AgreementParts) {
  async function read(): Promise<string | null> {
    try {
      return (await streams.getMessage(STREAM, { last_by_subj: SUBJECT }))?.string() ?? null
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)) throw error
      await streams.add({
        name: STREAM,
        subjects: [SUBJECT],
        storage: StorageType.File,
        num_replicas: copies,
        max_msgs: 1,
      })
      return null
    }
  }

  return {
    /** Returns the agreed fingerprint, setting it to `mine` if there was none. */
    agreed: (mine: string): Promise<string> =>
      retry(async () => {
        const found = await read()
        if (found !== null) return found
        // one of several first nodes succeeds; the others are rejected and read its message
        await client.publish(SUBJECT, mine, { expect: { lastSequence: 0 } })
        return mine
      }),
    /** Sets it to `mine`. */
    agree: (mine: string): Promise<void> =>
      retry(async () => {
        await read()
        await client.publish(SUBJECT, mine)
      }),
  }
}
