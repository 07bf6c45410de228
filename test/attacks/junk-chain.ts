import { fork } from 'node:child_process'
import { startSandboxChain } from '@ti/sandbox/chain.ts'

/** The sandbox chain in a process of its own: in reality a node is another machine. */
export interface ChainProcess {
  readonly rpcUrl: string
  /** 64 bytes in JSON, as FEE_PAYER_KEYPAIR takes them */
  readonly feePayerKeypair: string
  /** base58 */
  readonly seller: string
  stop(): void
}

type Started = Omit<ChainProcess, 'stop'>

/** It stands still: one blockhash is good for all payments, and what is sent lands at once. */
export function forkChain(): Promise<ChainProcess> {
  const child = fork(import.meta.filename)
  return new Promise((done, fail) => {
    child.once('message', (started) => done({ ...(started as Started), stop: () => child.disconnect() }))
    child.once('close', (code) => fail(new Error(`the chain ended with ${code}`)))
  })
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const { rpcUrl, seller, feePayerSecret, close } = await startSandboxChain({ slotMs: 0 })
  process.once('disconnect', () => void close().then(() => process.exit(0)))
  process.send({ rpcUrl, seller, feePayerKeypair: JSON.stringify([...feePayerSecret]) } satisfies Started)
}
