import type { Page } from 'playwright-core'
import { type TestWalletOptions, testWalletScript } from './test-wallet.ts'

const SEED = '1f'.repeat(32)

/** A wallet in the browser; a window's first, empty document has no cryptography, and is nobody's page. */
export const walletScript = (options: Omit<TestWalletOptions, 'seed'> = {}): string =>
  `if (location.protocol !== 'about:') ${testWalletScript({ seed: SEED, ...options })}`

/** On the account page. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Test Wallet/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}
