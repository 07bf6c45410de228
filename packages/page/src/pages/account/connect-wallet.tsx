import type { Wallet } from '@wallet-standard/base'
import { useEffect, useRef, useState } from 'react'
import { send } from '../../api/client.ts'
import { refusalInWords } from '../../api/refusal.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/controls.tsx'
import { createDemoWallet } from '../../wallet/demo-wallet.ts'
import { safeIcon } from '../../wallet/features.ts'
import { inWords } from '../../wallet/problems.ts'
import { type Challenge, connect, prove } from '../../wallet/sign-in.ts'
import { useWallets } from '../../wallet/use-wallets.ts'
import css from './account.module.css'
import { Problem } from './parts.tsx'

type State =
  | { readonly kind: 'idle'; readonly problem: string | null }
  | { readonly kind: 'asking'; readonly name: string; readonly step: string }

/** Lists the wallets of this browser; a click signs in. With play money (`sandbox`), a wallet made in the page works too. */
export function ConnectWallet({ sandbox, onSignIn }: { sandbox: boolean; onSignIn(): void }) {
  const wallets = useWallets()
  const [state, setState] = useState<State>({ kind: 'idle', problem: null })
  /** number of the current attempt; answers to earlier ones are ignored */
  const attempt = useRef(0)
  useEffect(
    () => () => {
      attempt.current++
    },
    [],
  )

  const box = useRef<HTMLDivElement>(null)
  const { kind } = state
  // the focused button is gone, so the focus moves here
  useEffect(() => {
    if (attempt.current > 0 && kind === 'asking') box.current?.focus()
  }, [kind])

  async function signIn(wallet: Wallet): Promise<void> {
    const mine = ++attempt.current
    const { name } = wallet
    const tell = (step: string): void => {
      if (attempt.current !== mine) return
      setState({ kind: 'asking', name, step })
      announce(step)
    }
    const problem = await trySignIn(wallet, tell, () => attempt.current === mine)
    if (attempt.current !== mine) return
    if (problem === null) onSignIn()
    // after success it stays in the asking state until the account loads
    else setState({ kind: 'idle', problem })
  }

  async function signInWithDemo(): Promise<void> {
    try {
      await signIn(await createDemoWallet())
    } catch {
      setState({ kind: 'idle', problem: NO_DEMO })
    }
  }

  const cancel = (): void => {
    attempt.current++
    setState({ kind: 'idle', problem: null })
  }

  if (state.kind === 'asking') {
    return (
      <div className="row" ref={box} tabIndex={-1}>
        <p>{state.step}</p>
        <Button onClick={cancel}>Cancel</Button>
      </div>
    )
  }
  return (
    <div className="stack">
      <Problem>{state.problem}</Problem>
      {sandbox && <Demo onStart={() => void signInWithDemo()} />}
      {wallets.length === 0 ? (
        sandbox ? null : (
          <NoWallet />
        )
      ) : (
        <>
          <ul className="stack">
            {wallets.map((wallet) => (
              <li key={wallet.name}>
                <button type="button" className={css.wallet} onClick={() => void signIn(wallet)}>
                  <Icon wallet={wallet} />
                  <bdi>{wallet.name}</bdi>
                  <span aria-hidden="true">Sign in</span>
                </button>
              </li>
            ))}
          </ul>
          <p className="soft">
            Your wallet shows a message and signs it. No transaction is sent, nothing is paid, and the signature is
            valid only for signing in here.
          </p>
        </>
      )}
    </div>
  )
}

/** Returns null when signed in, otherwise the reason. Reports each step, and stops when the attempt is no longer wanted. */
async function trySignIn(wallet: Wallet, tell: (step: string) => void, wanted: () => boolean): Promise<string | null> {
  const { name } = wallet
  try {
    tell(`Open ${name} and allow this page to see your account.`)
    const account = await connect(wallet)
    if (!wanted()) return null
    const asked = await send<Challenge>('POST', '/account/challenge', { wallet: account.address })
    if (!asked.ok) return refusalInWords(asked)
    if (!wanted()) return null
    tell(`Open ${name} and sign the message.`)
    const signature = await prove(wallet, account, asked.data)
    if (!wanted()) return null
    tell('Signing in.')
    const opened = await send('POST', '/account/session', { nonce: asked.data.nonce, signature })
    return opened.ok ? null : refusalInWords(opened)
  } catch (error) {
    return inWords(name, error)
  }
}

function Icon({ wallet }: { wallet: Wallet }) {
  const icon = safeIcon(wallet.icon)
  if (icon === null) return <span className={css.icon} aria-hidden="true" />
  return <img className={css.icon} src={icon} alt="" width={28} height={28} />
}

const NO_DEMO = 'This browser cannot create wallet keys. Use a newer one, or a wallet extension.'

const Demo = ({ onStart }: { onStart(): void }) => (
  <>
    <Button look="strong" onClick={onStart}>
      Start with a demo wallet
    </Button>
    <p className="soft">
      This service is a sandbox: payments are play money. The demo wallet is created in this page and lasts until you
      sign out; keys made with it keep working.
    </p>
  </>
)

const NoWallet = () => (
  <div className="stack">
    <p>
      <strong>No wallet that can sign in was found in this browser.</strong>
    </p>
    <ol className={css.steps}>
      <li>Install a Solana wallet as a browser extension, for example Phantom, Solflare or Backpack.</li>
      <li>Create an account in it, or unlock it. Signing in needs no money.</li>
      <li>Return to this page: the wallet appears by itself. If it does not, reload the page.</li>
    </ol>
    <p>On a phone, open this page in the browser inside the wallet’s app.</p>
    <Button onClick={() => location.reload()}>Load the page again</Button>
  </div>
)
