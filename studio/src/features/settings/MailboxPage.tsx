import { SegmentedControl, Stack } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useMemo, useState } from 'react'
import type { Column } from '../../components/DataTable.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { t } from '../../texts/index.ts'
import { Facts } from './parts/Facts.tsx'
import { LetterFrame } from './parts/LetterFrame.tsx'
import { RecordSection } from './parts/RecordSection.tsx'
import classes from './Settings.module.css'

type Letter = Marquee.Letter

const MailboxPage = () => {
  const texts = t.settings.mailbox
  const columns = useMemo<Column<Letter>[]>(
    () => [
      {
        key: 'subject',
        title: texts.subject,
        width: 'minmax(160px, 3fr)',
        small: 'first',
        render: ({ subject }) => <span className={`${classes.name} ellipsis`}>{subject}</span>,
      },
      {
        key: 'to',
        title: texts.to,
        width: 'minmax(140px, 2fr)',
        small: 'second',
        render: ({ to }) => <span className="ellipsis">{to}</span>,
      },
      {
        key: 'created_on',
        title: texts.sent,
        width: '120px',
        sortKey: 'created_on',
        small: 'second',
        render: ({ created_on }) => <RelativeTime at={created_on} />,
      },
    ],
    [texts],
  )
  return (
    <RecordSection<Letter>
      name="mailbox"
      path="/mailbox"
      columns={columns}
      nameOf={({ subject }) => subject}
      searchBy={{ name: 'to[fz]', label: texts.search }}
      empty={{ title: texts.first, hint: texts.firstHint }}
      width={520}
    >
      {(letter) => letter && <LetterDetail letter={letter} />}
    </RecordSection>
  )
}

const LetterDetail = ({ letter }: { letter: Letter }) => {
  const texts = t.settings.mailbox
  const [shown, setShown] = useState(letter.html ? 'html' : 'plain')
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [texts.to, letter.to],
          [texts.sent, <RelativeTime key="sent" at={letter.created_on} />],
        ]}
      />
      {letter.html && (
        <SegmentedControl
          size="xs"
          aria-label={texts.letter}
          value={shown}
          onChange={setShown}
          data={[
            { value: 'html', label: texts.html },
            { value: 'plain', label: texts.plain },
          ]}
        />
      )}
      {shown === 'html' && letter.html ? (
        <LetterFrame html={letter.html} />
      ) : (
        <code className={classes.code}>{letter.text}</code>
      )}
    </Stack>
  )
}

export default MailboxPage
