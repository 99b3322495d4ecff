"""What tests share. Each module begins with an example; `tests/house/test_kit.py` runs it.

| for a test that needs | module |
|---|---|
| people who type commands | `people` |
| a game at a named moment, made once | `named_games`, and `fixtures` for `game` and `table` |
| a clock and deadlines | `timed_games` |
| somebody to answer | `bot_orders` |
| a host | `running_host` |
| a push service, and a browser that is called | `push_service` |
| a server with encryption | `certificates` |
| a store | `stores` |
| a mailbox | `small_mail_servers`, `real_mail_servers` |
| a seat by plain email | `mail_seats` |
| records in files | `record_files` |
| the reason of a refusal | `refusals` |
| records, or games without commands | `sample_records`, `played_games`, `positions` |
| games that several dealers deal | `dealers_games` |
| the pages, in a browser or without one | `browser`, `browser_players`, `phone`, `table_requests` |
| what a reader of a page sees | `shown_pages` |
| the Python of the page, in Node | `page_python` |
| kills and full disks | `crashes` |
| what a person types and reads, as text | `scripts` |

`processes` waits for conditions and finds free ports; `selection` says which tests run when. Only
modules here and helpers of a folder know the inside of pbem; a test uses commands and records.
"""
