import type { AppSession } from '@ti/core/contract/app.ts'
import { Link } from '../../shell/router.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { GIVEN } from './account.ts'
import { ConnectWallet } from './connect-wallet.tsx'
import { Command } from './parts.tsx'

const ROWS = [
  [
    'Price',
    'free; each key takes your browser a few seconds to compute',
    `${GIVEN.pro.sol} SOL for ${GIVEN.pro.days} days`,
  ],
  ['Calls of each key', `${GIVEN.freeCalls} a minute`, `${GIVEN.proCalls} a minute`],
  ['Streams', `${GIVEN.trialS / 60} minutes within any hour`, 'without limit'],
  ['Keys', `up to ${GIVEN.keys}`, `up to ${GIVEN.keys}`],
] as const

/** Explains keys and plans, and offers the sign-in. */
export const SignedOut = ({ session, onSignIn }: { session: AppSession | null; onSignIn(): void }) => (
  <Frame
    title="Account"
    lead="Your wallet is your account. Sign in to watch tokens, launchers and crews, and to make the keys that programs and agents use."
  >
    <div className="halves">
      <Panel title="Sign in with your wallet">
        <div className="stack">
          <ConnectWallet sandbox={session?.sandbox === true} onSignIn={onSignIn} />
          {session?.sandbox === true && (
            <>
              <p className="soft">The operator can also make a key without a wallet:</p>
              <Command text="npm run --silent cli -- keys create" label="Copy the command" />
            </>
          )}
        </div>
      </Panel>
      <Panel title="Plans">
        <Table label="Plans" columns={[{ label: 'What' }, { label: 'Free' }, { label: 'Pro' }]}>
          {ROWS.map(([what, free, pro]) => (
            <Row key={what}>
              <RowHead>{what}</RowHead>
              <Cell>{free}</Cell>
              <Cell>{pro}</Cell>
            </Row>
          ))}
        </Table>
        <p className="soft">
          You can also pay per call with x402, without a key or an account: ${GIVEN.callUsd}, a snapshot $
          {GIVEN.snapshotUsd}. How to use all of this is in <Link to="/guide">the guide</Link>.
        </p>
      </Panel>
    </div>
  </Frame>
)
