/** A wallet for tests of the page, without windows; no served file imports it. */
export interface TestWalletOptions {
  /** private key, 32 bytes in hex */
  readonly seed: string
  readonly name?: string
  /** reaction to a request for a signature */
  readonly behaviour?: 'sign' | 'decline' | 'silent'
  /** sign-in without `solana:signIn`, with it, or with a text of its own */
  readonly signIn?: 'none' | 'same text' | 'own text'
}

/** State visible to tests as `__testWallet`. */
interface TestWalletState {
  readonly address: string
  /** signed texts */
  readonly signed: string[]
}

/** Registers the wallet in its window. The function is sent to the browser as text, so it may use only browser globals. */
export async function installTestWallet(options: TestWalletOptions): Promise<TestWalletState> {
  const { seed, name = 'Test Wallet', behaviour = 'sign', signIn = 'none' } = options
  const scope = globalThis as unknown as {
    __testWallet?: TestWalletState
    dispatchEvent(event: Event): boolean
    addEventListener(type: string, listener: (event: Event & { detail?: unknown }) => void): void
  }

  const base58 = (bytes: Uint8Array): string => {
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
    let number = 0n
    for (const byte of bytes) number = number * 256n + BigInt(byte)
    let text = ''
    for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text
    for (const byte of bytes) {
      if (byte !== 0) break
      text = `1${text}`
    }
    return text
  }

  // PKCS #8 is 16 fixed bytes and the seed; exporting the key as JWK yields the public key
  const pkcs8 = Uint8Array.from(`302e020100300506032b657004220420${seed}`.match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  )
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign'])
  const { x = '' } = await crypto.subtle.exportKey('jwk', key)
  const publicKey = Uint8Array.from(atob(x.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
  const address = base58(publicKey)
  const state: TestWalletState = { address, signed: [] }

  const features = ['solana:signMessage', ...(signIn === 'none' ? [] : ['solana:signIn'])]
  const account = { address, publicKey, chains: ['solana:mainnet'], features }
  let accounts: (typeof account)[] = []

  const sign = async (text: Uint8Array) => {
    if (behaviour === 'silent') await new Promise(() => {})
    if (behaviour === 'decline') throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    state.signed.push(new TextDecoder().decode(text))
    const signature = await crypto.subtle.sign('Ed25519', key, Uint8Array.from(text))
    return { signedMessage: text, signature: new Uint8Array(signature) }
  }
  /** composes the text of Sign In With Solana */
  const textOf = (fields: Readonly<Record<string, string>>): string => {
    const own = signIn === 'own text' ? 'Signed by a test wallet. ' : ''
    return `${fields.domain} wants you to sign in with your Solana account:
${fields.address}

${own}${fields.statement}

URI: ${fields.uri}
Version: ${fields.version}
Chain ID: ${fields.chainId}
Nonce: ${fields.nonce}
Issued At: ${fields.issuedAt}
Expiration Time: ${fields.expirationTime}`
  }

  const wallet = {
    version: '1.0.0',
    name,
    icon: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="#55a"/></svg>')}`,
    chains: ['solana:mainnet'],
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async () => {
          accounts = [account]
          return { accounts }
        },
      },
      'standard:disconnect': {
        version: '1.0.0',
        disconnect: async () => {
          accounts = []
        },
      },
      'standard:events': { version: '1.0.0', on: () => () => {} },
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: (...inputs: { message: Uint8Array }[]) => Promise.all(inputs.map(({ message }) => sign(message))),
      },
      ...(signIn === 'none'
        ? {}
        : {
            'solana:signIn': {
              version: '1.0.0',
              signIn: (...inputs: Record<string, string>[]) =>
                Promise.all(
                  inputs.map(async (fields) => ({
                    account,
                    ...(await sign(new TextEncoder().encode(textOf(fields)))),
                  })),
                ),
            },
          }),
    },
  }

  const announce = (api: { register(wallet: unknown): void }) => api.register(wallet)
  scope.addEventListener('wallet-standard:app-ready', ({ detail }) => announce(detail as never))
  scope.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: announce }))
  scope.__testWallet = state
  return state
}

/** Script for `page.addInitScript({ content })`. */
export const testWalletScript = (options: TestWalletOptions): string =>
  // compilers may wrap functions to keep their names; the browser lacks the helper for that
  `{ const __name = (made) => made; (${installTestWallet.toString()})(${JSON.stringify(options)}) }`
