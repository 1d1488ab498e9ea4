# ruff: noqa: E501, RUF001 (a table of names: long lines, letters of many alphabets)
"""The table of forms: under which names people keep a state and a history, and how they write months and weekdays.

One place for each decision: a name or a language that is missing is added here and nowhere else. Names are compared
after `plain`: case-folded, without accents' composition, numbering, punctuation and emoji.
"""

import unicodedata
from functools import lru_cache

_STATE = """
status; current status; state; current state; project status; state of play; where we are; where things stand; now;
right now; as of now; today; at a glance; in short; in brief; in a nutshell; bottom line; summary; quick summary;
executive summary; tl dr; tldr; overview; quick overview; abstract; synopsis; key facts; essentials; current situation;
stand; aktueller stand; stand der dinge; aktueller status; zustand; lage; zusammenfassung; kurzfassung; kurz und knapp;
auf einen blick; überblick; übersicht; in kürze; das wichtigste;
état; état actuel; état des lieux; statut; situation; situation actuelle; résumé; en bref; en résumé; aperçu;
vue d ensemble; synthèse;
estado; estado actual; situación actual; resumen; en resumen; en pocas palabras; visión general; vista general;
stato; stato attuale; situazione attuale; riassunto; riepilogo; in breve; sintesi; panoramica;
estado atual; situação atual; resumo; em resumo; visão geral;
huidige status; stand van zaken; samenvatting; kort samengevat; overzicht; in het kort;
nuläge; sammanfattning; översikt; i korthet; nåværende status; sammendrag; oversikt; nuværende status; resumé;
nykytila; yhteenveto; tila; stan; stan obecny; podsumowanie; streszczenie; aktuální stav; stav; shrnutí; souhrn;
durum; güncel durum; özet; genel bakış; статус; состояние; текущее состояние; текущий статус; кратко; резюме; итог; обзор;
стан; поточний стан; підсумок; огляд; 現状; 現在の状態; 現在の状況; 状態; 状況; ステータス; 概要; 要約; まとめ; サマリー;
现状; 当前状态; 状态; 摘要; 概述; 概览; 总结; 小结; 目前状态; 現況; 目前狀態; 狀態; 總結;
현재 상태; 상태; 현황; 요약; 개요; الحالة; الحالة الحالية; ملخص; מצב נוכחי; סיכום; स्थिति; सारांश
"""

_HISTORY = """
history; log; changelog; change log; change history; history of changes; revision history; version history; release
history; edit history; document history; update log; update history; worklog; work log; devlog; dev log; session log;
session logs; session history; progress log; decision log; decisions log; decision history; journal; diary; logbook;
log book; chronicle; dated notes; daily log; daily notes; verlauf; historie; chronik; änderungsprotokoll;
änderungshistorie; versionshistorie; versionsverlauf; tagebuch; logbuch; entscheidungsprotokoll; historique;
historique des changements; historique des modifications; historique des versions; journal des modifications; journal
des changements; journal de bord; historial; historial de cambios; registro de cambios; bitácora; diario; storico;
cronistoria; registro delle modifiche; diario di bordo; histórico; histórico de alterações; histórico de mudanças;
registo de alterações; diário; geschiedenis; logboek; wijzigingslog; versiegeschiedenis; dagboek; historik; logg;
ändringslogg; dagbok; endringslogg; historikk; ændringslog; historia muutoksista; muutosloki; muutoshistoria; loki;
historia zmian; dziennik; dziennik zmian; rejestr zmian; historie změn; deník; günlük; değişiklik günlüğü; sürüm
geçmişi; история; история изменений; журнал; журнал изменений; дневник; лог; історія; історія змін; журнал змін; 履歴;
変更履歴; 更新履歴; 改訂履歴; 作業ログ; 作業記録; 日誌; 変更ログ; 历史; 历史记录; 变更记录; 更新记录; 更新日志; 变更日志; 修订历史; 修订记录; 工作日志; 歷史; 變更記錄; 更新記錄; 更新日誌;
工作日誌; 변경 이력; 변경 기록; 업데이트 기록; 작업 로그; 일지; 히스토리; سجل التغييرات; היסטוריה; יומן; יומן שינויים; परिवर्तन लॉग
"""

# Names that a history often bears and a description of code often too: with something dated in them they are one.
_HISTORY_IF_DATED = """
changes; updates; news; releases; release notes; revisions; timeline; chronology; recent changes; past events;
previous updates; activity log; änderungen; protokoll; neuigkeiten; geschichte; zeitleiste; chronologie;
modifications; cambios; registro; historia; modifiche; alterações; registo; wijzigingen; tijdlijn; ändringar; zmiany;
změny; değişiklikler; geçmiş; изменения; хронология; зміни; 記録; 経緯; ログ; 记录; 日志; 時間線; 时间线; 기록; 변경사항; 이력; السجل;
التاريخ; इतिहास; storia; cronología; cronologia
"""

#: Last words that make a heading a history when something dated stands under it ("Deployment log", "Rollout history").
LAST_WORDS = frozenset(
    (
        "history",
        "log",
        "changelog",
        "journal",
        "timeline",
        "verlauf",
        "historie",
        "protokoll",
        "historique",
        "historial",
    )
)

_MONTHS: dict[int, str] = {
    1: "january jan januar jän jänner janvier janv enero ene gennaio gen janeiro januari tammikuu styczeń stycznia leden "
    "ledna ocak январь января янв січень січня",
    2: "february feb februar febr février févr fév febrero febbraio fevereiro fev februari helmikuu luty lutego únor února "
    "şubat февраль февраля фев лютий лютого",
    3: "march mar märz mär mrz mars marzo março maart mrt maaliskuu marzec marca březen března mart март марта березень "
    "березня",
    4: "april apr avril avr abril abr aprile huhtikuu kwiecień kwietnia duben dubna nisan апрель апреля апр квітень квітня",
    5: "may mai mayo maggio mag maio mei maj toukokuu maja květen května mayıs май мая травень травня",
    6: "june jun juni juin junio giugno giu junho kesäkuu czerwiec czerwca červen června haziran июнь июня июн червень червня",
    7: "july jul juli juillet juil julio luglio lug julho heinäkuu lipiec lipca červenec července temmuz июль июля июл липень "
    "липня",
    8: "august aug août agosto ago augustus augusti elokuu sierpień sierpnia srpen srpna ağustos август августа авг серпень "
    "серпня",
    9: "september sep sept septembre septiembre set settembre sett setembro syyskuu wrzesień września září eylül сентябрь "
    "сентября сен вересень вересня",
    10: "october oct oktober okt octobre octubre ottobre ott outubro out lokakuu październik października říjen října ekim "
    "октябрь октября окт жовтень жовтня",
    11: "november nov novembre noviembre novembro marraskuu listopad listopadu listopada kasım ноябрь ноября ноя",
    12: "december dec dezember dez décembre déc diciembre dic dicembre dezembro joulukuu grudzień grudnia prosinec prosince "
    "aralık декабрь декабря дек грудень грудня",
}

_WEEKDAYS = """
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo
lunedì martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
"""


#: ASCII that is no letter becomes a space.
_ASCII_WORDS = {code: " " for code in range(128) if not chr(code).isalpha()}


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """`text` as names are compared: composed, case-folded, letters only, one space between words."""
    if text.isascii():
        return " ".join(text.lower().translate(_ASCII_WORDS).split())
    folded = unicodedata.normalize("NFC", text).casefold()
    words = "".join(c if c.isalpha() or unicodedata.category(c).startswith("M") else " " for c in folded).split()
    return " ".join(words)


def _names(table: str) -> frozenset[str]:
    return frozenset(plain(name) for name in table.split(";") if name.strip())


#: Headings that hold the current state, in `plain` form.
STATE_NAMES = _names(_STATE)
#: Headings whose section is a history, in `plain` form.
HISTORY_NAMES = _names(_HISTORY)
#: Headings whose section is a history when something dated stands in it, in `plain` form.
HISTORY_IF_DATED = _names(_HISTORY_IF_DATED)
#: Month name, case-folded and composed, to its number 1..12.
MONTHS: dict[str, int] = {plain(name): number for number, names in _MONTHS.items() for name in names.split()}
#: Weekday names that may stand before a date.
WEEKDAYS = frozenset(plain(name) for name in _WEEKDAYS.split())
