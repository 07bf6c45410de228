import { dateText, dayText } from './account.ts'

export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={dateText(at)}>
    {dayText(at)}
  </time>
)
