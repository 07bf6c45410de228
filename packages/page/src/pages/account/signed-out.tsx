import type { AppSession } from '@ti/core/contract/app.ts'
import { Link } from '../../shell/router.tsx'
import { Panel } from '../../ui/panel.tsx'
import css from './account.module.css'
import { GIVEN } from './account.ts'
import { Command } from './command.tsx'
import { ConnectWallet } from './connect-wallet.tsx'

/** Explains keys and plans, and offers the sign-in. */
export const SignedOut = ({ session, onSignIn }: { session: AppSession | null; onSignIn(): void }) => (
  <>
    <header className={css.head}>
      <h1>Account</h1>
      <p className={css.lead}>Your wallet is your account. Sign in to make the keys that programs and agents use.</p>
    </header>
    <div className={`${css.columns} ${css.halves}`}>
      <Panel title="Sign in with your wallet">
        <ConnectWallet sandbox={session?.sandbox === true} onSignIn={onSignIn} />
        {session?.sandbox === true && (
          <div className={css.aside}>
            <p>The operator can also make a key without a wallet:</p>
            <Command text="npm run --silent cli -- keys create" label="Copy the command" />
          </div>
        )}
      </Panel>
      <Panel title="Plans">
        <div className={css.scroll}>
          <table className={css.plans}>
            <thead>
              <tr>
                <td />
                <th scope="col">Free</th>
                <th scope="col">Pro</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">Price</th>
                <td>free; each key takes your browser a few seconds to compute</td>
                <td>
                  {GIVEN.pro.sol} SOL for {GIVEN.pro.days} days
                </td>
              </tr>
              <tr>
                <th scope="row">Calls of each key</th>
                <td>{GIVEN.freeCalls} a minute</td>
                <td>{GIVEN.proCalls} a minute</td>
              </tr>
              <tr>
                <th scope="row">Streams</th>
                <td>{GIVEN.trialS / 60} minutes within any hour</td>
                <td>without limit</td>
              </tr>
              <tr>
                <th scope="row">Keys</th>
                <td>up to {GIVEN.keys}</td>
                <td>up to {GIVEN.keys}</td>
              </tr>
            </tbody>
          </table>
        </div>
        <p className="soft">
          You can also pay per call with x402, without a key or an account: ${GIVEN.callUsd}, a snapshot $
          {GIVEN.snapshotUsd}. How to use all of this is in <Link to="/guide">the guide</Link>.
        </p>
      </Panel>
    </div>
  </>
)
