import type { AppNeighbours } from '@ti/core/contract/app.ts'
import { useResource } from '../../api/resource.ts'
import { count, counted } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { neighboursInWords } from './words.ts'

const COLUMNS = [
  { label: 'Wallet' },
  { label: 'Bought after it', number: true, means: 'Tokens that the wallet first bought within ten seconds after it.' },
  { label: 'Before it', number: true, means: 'Tokens that the wallet first bought within ten seconds before it.' },
  {
    label: 'Ever bought',
    number: true,
    means: 'All tokens that the wallet bought: one that buys everything is beside everybody.',
  },
]

/** Wallets that trade right after the wallet, and after whom it trades. */
export function Neighbours({ address }: { address: string }) {
  const neighbours = useResource<AppNeighbours>(`/app/wallets/${address}/neighbours`)
  return (
    <Panel title="Who trades right after it" how="3-wallet-history" note="first purchases, from the kept trades">
      <Loaded of={neighbours} lines={5}>
        {(found) => (
          <div className="stack">
            <p>{neighboursInWords(found)}</p>
            {found.unread > 0 && (
              <p className="soft">{counted(found.unread, 'more token')} not read: too many trades since it bought.</p>
            )}
            {found.wallets.length > 0 && (
              <Table label="Wallets beside it" columns={COLUMNS}>
                {found.wallets.slice(0, SHOWN).map(({ wallet, name, after, before, bought }) => (
                  <Row key={wallet}>
                    <RowHead>
                      <Address value={wallet} kind="wallet" /> {name !== null && <bdi>{name}</bdi>}
                    </RowHead>
                    <Cell number>{count(after)}</Cell>
                    <Cell number>{count(before)}</Cell>
                    <Cell number>{count(bought)}</Cell>
                  </Row>
                ))}
              </Table>
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

/** rows */
const SHOWN = 8
