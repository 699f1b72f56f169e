import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import { useMemo, useState } from 'react'
import { useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import type { Column } from '../../components/DataTable.tsx'
import { formatNumber } from '../../components/format.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { Facts } from './parts/Facts.tsx'
import { RecordSection } from './parts/RecordSection.tsx'
import { removeRecord } from './parts/records.ts'
import { removeLater } from './parts/remove-later.tsx'
import { ShownOnce } from './parts/ShownOnce.tsx'
import classes from './Settings.module.css'
import { TokenForm } from './TokenForm.tsx'

type Token = Marquee.Token

const stateOf = ({ revoked_on, expires_on }: Token): 'revoked' | 'expired' | 'active' => {
  if (revoked_on) return 'revoked'
  return expires_on && Date.parse(expires_on) <= Date.now() ? 'expired' : 'active'
}

const useColumns = (): Column<Token>[] =>
  useMemo(() => {
    const texts = t.settings.tokens
    return [
      {
        key: 'name',
        title: t.settings.name,
        width: 'minmax(140px, 2fr)',
        sortKey: 'name',
        small: 'first',
        render: ({ name }) => <span className={`${classes.name} ellipsis`}>{name}</span>,
      },
      {
        key: 'state',
        title: t.settings.state,
        width: '110px',
        small: 'second',
        render: (row) => {
          const state = stateOf(row)
          return <StatusMark meaning={state === 'active' ? 'done' : 'gone'}>{texts[state]}</StatusMark>
        },
      },
      {
        key: 'hint',
        title: texts.begins,
        width: '110px',
        keep: 2,
        render: ({ hint }) => <code>{hint}</code>,
      },
      {
        key: 'scopes',
        title: texts.scopes,
        width: '100px',
        keep: 3,
        render: ({ scopes }) => texts.scopeCount(formatNumber(scopes.length)),
      },
      {
        key: 'kind',
        title: texts.kind,
        width: '130px',
        keep: 1,
        render: ({ kind }) => texts.kinds[kind],
      },
      {
        key: 'last_used_on',
        title: texts.lastUsed,
        width: '110px',
        sortKey: 'last_used_on',
        keep: 4,
        small: 'second',
        render: ({ last_used_on }) => <RelativeTime at={last_used_on} none={texts.notUsed} />,
      },
      {
        key: 'expires_on',
        title: texts.expires,
        width: '110px',
        sortKey: 'expires_on',
        keep: 5,
        render: ({ expires_on }) => <RelativeTime at={expires_on} none={texts.never} />,
      },
    ]
  }, [])

const TokensPage = () => {
  const [address, change] = useAddress()
  const columns = useColumns()
  const texts = t.settings.tokens
  const showsAll = address.all === '1'
  return (
    <RecordSection<Token>
      name="tokens"
      path="/tokens"
      query={{
        'kind[in]': 'environment,organisation,personal',
        ...(!showsAll && { 'revoked[has]': 'false' }),
      }}
      columns={columns}
      nameOf={({ name }) => name}
      empty={{ title: texts.first, hint: texts.firstHint }}
      add={texts.new}
      width={480}
      tools={
        <NativeSelect
          size="xs"
          aria-label={t.settings.state}
          value={showsAll ? '1' : ''}
          data={[
            { value: '', label: texts.usable },
            { value: '1', label: texts.all },
          ]}
          onChange={(event) => change({ all: event.currentTarget.value || undefined })}
        />
      }
    >
      {(row, close) => (row ? <TokenDetail token={row} close={close} /> : <TokenForm close={close} />)}
    </RecordSection>
  )
}

const TokenDetail = ({ token, close }: { token: Token; close: () => void }) => {
  const can = useCan()
  const texts = t.settings.tokens
  const [value, setValue] = useState<string>()
  const { id, name } = token
  const isUsable = stateOf(token) === 'active'
  const isOurs = token.kind === 'environment' || token.kind === 'organisation'
  const renew = async () => {
    try {
      const renewed = await api.post('/tokens/{id}/renew', { path: { id } })
      setValue(renewed.value)
      refresh('tokens')
    } catch (error) {
      toastError(texts.renewing, error)
    }
  }
  const revoke = () => {
    close()
    removeLater(id, texts.revokes(name), 'tokens', () => removeRecord('/tokens', id))
  }
  return (
    <Stack gap="md">
      {value && <ShownOnce label={texts.value} value={value} onDone={() => setValue(undefined)} />}
      <Facts
        facts={[
          [t.settings.state, texts[stateOf(token)]],
          [texts.begins, <code key="hint">{token.hint}</code>],
          [texts.kind, texts.kinds[token.kind]],
          [texts.visibility, texts.visibilities[token.visibility]],
          [t.settings.createdOn, <RelativeTime key="made" at={token.created_on} />],
          [texts.lastUsed, <RelativeTime key="used" at={token.last_used_on} none={texts.notUsed} />],
          [texts.expires, <RelativeTime key="ends" at={token.expires_on} none={texts.never} />],
          [texts.scopes, token.scopes.join(', ')],
        ]}
      />
      <Text size="sm">
        <Link to="/settings/audit" search={{ 'token[in]': id } as never}>
          {texts.audit}
        </Link>
      </Text>
      {isUsable && can('tokens') && (
        <>
          <Group gap="sm">
            {isOurs && (
              <Button variant="default" onClick={renew}>
                {texts.renew}
              </Button>
            )}
            <Button variant="default" onClick={revoke}>
              {texts.revoke}
            </Button>
          </Group>
          {isOurs && (
            <Text size="xs" c="dimmed">
              {texts.renewHint}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}

export default TokensPage
