import type { Wallet, WalletAccount } from '@wallet-standard/base'

const NAME = 'Demo wallet'
const CHAINS = ['solana:mainnet'] as const
const ICON = 'data:image/svg+xml;base64,PHN2Zy8+'
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The service's base58 uses Node buffers. */
function base58(bytes: Uint8Array): string {
  let number = 0n
  for (const byte of bytes) number = number * 256n + BigInt(byte)
  let text = ''
  for (; number > 0n; number /= 58n) text = ALPHABET.charAt(Number(number % 58n)) + text
  return (
    '1'.repeat(
      Math.max(
        0,
        bytes.findIndex((byte) => byte !== 0),
      ),
    ) + text
  )
}

/**
 * A wallet for services with play money. Its key stays in the browser's cryptography and ends with the tab. It signs without
 * asking. Rejects if the browser cannot create Ed25519 keys.
 */
export async function createDemoWallet(): Promise<Wallet> {
  const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const address = base58(publicKey)
  const account: WalletAccount = { address, publicKey, chains: CHAINS, features: ['solana:signMessage'] }
  const sign = async (message: Uint8Array) => {
    const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, Uint8Array.from(message))
    return { signedMessage: message, signature: new Uint8Array(signature) }
  }
  const features = {
    'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs: readonly { readonly message: Uint8Array }[]) =>
        Promise.all(inputs.map(({ message }) => sign(message))),
    },
  }
  return { version: '1.0.0', name: NAME, icon: ICON, chains: CHAINS, features, accounts: [account] }
}
