"""How mail programs write replies to the mail of a turn, one entry for each shape."""

import re
from email.message import EmailMessage

from tests.post.seats.reply_bytes import DISCLAIMER, Quoting, Shape, Shapes, eml

ANN = "Rhea <rhea@example.org>"
LINK = 'Rhea &lt;<a href=3D"mailto:rhea@example.org">rhea@example.org</a>&gt;'.replace("=3D", "=")
MSO = (
    '<!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026"/><w:Zoom>96</w:Zoom>'
    "</xml><![endif]--><style><!-- p.MsoNormal {margin:0cm;font-size:11.0pt;} --></style>"
)
BORDER = "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"


def replies_to(mail: EmailMessage) -> dict[str, bytes]:
    """A reply in every shape, by the name of the shape."""
    quoting = Quoting(mail)
    shapes = {
        name: made if isinstance(made, tuple) else (made, 0)
        for name, made in all_shapes(quoting).items()
    }
    return {name: eml(shape, quoting, width) for name, (shape, width) in shapes.items()}


def all_shapes(mail: Quoting) -> Shapes:
    """Every shape, by its name."""
    return {**gmail(mail), **outlook_desktop(mail), **outlook_elsewhere(mail), **apple(mail),
            **unix(mail), **webmail(mail), **encodings(mail), **wrote(mail), **people(mail),
            **machines(mail)}  # fmt: skip


def gmail(mail: Quoting) -> Shapes:
    head = f"On Sun, Nov 22, 2026 at 12:10\u202fPM {ANN} wrote:"
    plain = f"3\n10\n\n{head}\n\n{mail.marked()}\n"
    quote = (
        '<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Sun, '
        f"Nov 22, 2026 at 12:10\u202fPM {LINK} wrote:<br></div><blockquote "
        'class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204)'
        f';padding-left:1ex">{mail.html}</blockquote></div>'
    )
    html = f'<div dir="ltr">3<div>10</div></div><br>{quote}'
    app = f'<div dir="auto">3, 10</div><br>{quote}'
    wrapped = "3, 10\n\nOn Sun, Nov 22, 2026, 12:10\u202fPM Rhea\n<rhea@example.org> wrote:\n\n"
    inline = mail.inline("15: ", "3\n10")
    return {
        "gmail-web": Shape(plain, html, "quoted-printable"),
        "gmail-app": Shape(f"{wrapped}{mail.marked()}\n", app, "quoted-printable"),
        "gmail-web-inline": Shape(f"{head}\n\n{inline}\n", "", "quoted-printable"),
        "gmail-html-only": Shape("", html, "base64"),
        "gmail-changed-subject": Shape(plain, "", "base64", subject="my move"),
    }


def outlook_block(mail: Quoting) -> str:
    """The heading above what Outlook quotes."""
    return (
        f"From: {ANN}\nSent: Sunday, November 22, 2026 12:10 PM\nTo: Bo <bo@example.org>\n"
        f"Subject: {mail.subject}\n\n"
    )


def outlook_desktop(mail: Quoting) -> Shapes:
    block, blank = outlook_block(mail), mail.text.replace("\n", "\n\n")
    html_block = (
        f"<p class=MsoNormal><b>From:</b> {LINK} <br><b>Sent:</b> Sunday, November 22, 2026 12:10 "
        f"PM<br><b>To:</b> Bo<br><b>Subject:</b> {mail.subject}<o:p></o:p></p></div>{mail.html}"
    )
    word = f"{MSO}<div class=WordSection1><p class=MsoNormal>3<o:p></o:p></p>"
    word += "<p class=MsoNormal>10<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>"
    line = re.findall(r"<a [^>]*><b>15</b> on b1</a>", mail.html)[0]
    answer = "<p class=MsoNormal><span style='color:red'>3, 10</span></p>"
    inside = mail.html.replace(line, line + answer)
    return {
        "outlook-desktop": Shape(
            f"3\n\n10\n\n \n\n{block}{blank}\n", f"{word}{BORDER}{html_block}", "quoted-printable",
            crlf=True,
        ),
        "outlook-desktop-html-only": Shape(
            "", f"{word}{BORDER}{html_block}", "quoted-printable", "utf-8", crlf=True,
        ),
        "outlook-desktop-inline": Shape(
            "", f"{MSO}<div class=WordSection1><p class=MsoNormal>See below.</p>{BORDER}"
            + html_block.replace(mail.html, inside), "base64", crlf=True,
        ),
        "outlook-legacy": Shape(
            f"3\n10\n\n-----Original Message-----\n{block}{mail.text}\n", crlf=True, cte="8bit",
        ),
    }  # fmt: skip


def outlook_elsewhere(mail: Quoting) -> Shapes:
    block, blank = outlook_block(mail), mail.text.replace("\n", "\n\n")
    german = (
        f"Von: {ANN}\nGesendet: Sonntag, 22. November 2026 12:10\nAn: Bo <bo@example.org>\n"
        f"Betreff: {mail.subject}\n\n"
    )
    web = (
        '<div style="font-family:Aptos">3</div><div style="font-family:Aptos">10</div>'
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font><b>From:</b> {LINK}<br><b>Sent:</b> 22 November '
        f"2026 12:10<br><b>To:</b> Bo<br><b>Subject:</b> {mail.subject}</font></div>"
        f"<div>{mail.html}</div>"
    )
    line = "_" * 32
    ios = f"3\n10\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n{line}\n{block}{blank}\n"
    return {
        "outlook-web": Shape(f"3\n10\n{line}\n{block}{mail.text}\n", web, "quoted-printable"),
        "outlook-web-html-only": Shape("", web, "base64", crlf=True),
        "outlook-ios": Shape(ios, cte="base64"),
        "outlook-german": Shape(f"3\n10\n\n{german}{blank}\n", cte="quoted-printable", crlf=True),
    }  # fmt: skip


def apple(mail: Quoting) -> Shapes:
    head = f"On 22 Nov 2026, at 12:10, {ANN} wrote:"
    cite = (
        f'<html><body style="overflow-wrap: break-word;">3<div>10<br><div><br><blockquote '
        f'type="cite"><div>{head.replace("<", "&lt;")}</div><br>'
        f"<div>{mail.html}</div></blockquote></div></div></body></html>"
    )
    ios = (
        '<html><body dir="auto">3, 10<br><br><div dir="ltr">Sent from my iPhone</div><div>'
        f'<br><blockquote type="cite">{head.replace("<", "&lt;")}<br><br></blockquote></div>'
        f'<blockquote type="cite"><div dir="ltr">\ufeff{mail.html}</div></blockquote></body></html>'
    )
    quoted = f"> {head}\n> \n{mail.marked()}\n"
    return {
        "apple-mail": Shape(f"3\n10\n\n{quoted}", cite, "quoted-printable"),
        "apple-mail-inline": Shape(
            f"{head}\n\n{mail.inline('15: ', 'cooperation 3: b1 body' + chr(10) + '10')}\n",
            cte="quoted-printable",
        ),
        "ios": Shape(f"3, 10\n\nSent from my iPhone\n\n{quoted}", ios, "quoted-printable"),
        "ios-html-only": Shape("", ios, "base64"),
        "ios-autocorrected": Shape(
            f"Cooperation 3 : B1 body\nLong Neck 3 on B1\n\nSent from my iPhone\n\n{quoted}",
            cte="quoted-printable",
        ),
    }


def unix(mail: Quoting) -> Shapes:
    thunderbird = f"On 22.11.26 12:10, Rhea wrote:\n{mail.marked()}\n"
    k9 = f"Am 22. November 2026 12:10:03 MEZ schrieb {ANN}:\n{mail.marked('>')}\n"
    small = "-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet."
    long = "I think about this for a while and then I say that the best thing of all \n"
    long += "will be to do this:\n\n3\n10\n"
    mutt = f"On Sun, Nov 22, 2026 at 12:10:03PM +0000, Rhea wrote:\n{mail.inline('16: ', '3 10')}\n"
    return {
        "thunderbird": Shape(f"3\n10\n\n{thunderbird}", cte="8bit", more="; format=flowed"),
        "thunderbird-bottom": Shape(f"{thunderbird}\n3\n10\n\n-- \nBo\n7 Long Neck Street\n",
                                    cte="8bit", more="; format=flowed"),
        "thunderbird-flowed": Shape(f"{long}\n{thunderbird}", more="; format=flowed; delsp=yes"),
        "k-9": Shape(f"3, 10\n{small}\n\n{k9}", cte="8bit"),
        "k-9-html": Shape(
            "", f"<!DOCTYPE html><html><body>3<br>10<br><br><div class='k9mail-signature'>-- <br>"
            f"Sent from my Android device with K-9 Mail.</div><br><br><div class='gmail_quote'>On "
            f"22 November 2026 12:10:03 CET, {LINK} wrote:<blockquote class='gmail_quote'>"
            f"{mail.html}</blockquote></div></body></html>", "quoted-printable"),
        "mutt": Shape(mutt, cte="8bit"),
        "mutt-attribution": Shape(
            f"* {ANN} [2026-11-22 12:10]:\n\n{mail.marked()}\n\n3\n10\n\n-- \nBo\n"),
        "emacs-supercite": Shape(
            f'>>>>> "Rhea" == {ANN} writes:\n\n{mail.marked("R> ")}\n\n3\n10\n'),
        "alpine": Shape(f"3\n10\n\nOn Sun, 22 Nov 2026, Rhea wrote:\n\n{mail.marked()}\n"),
    }  # fmt: skip


def webmail(mail: Quoting) -> Shapes:
    head = f"On Sunday, November 22, 2026 at 12:10:03 PM GMT+1, {ANN} wrote:"
    unmarked = mail.text.replace("\n", "\n ")
    yahoo = (
        '<html><head></head><body><div class="ydp1yahoo-style-wrap"><div dir="ltr">3</div><div>10'
        '</div><div><br></div></div><div id="yahoo_quoted_1" class="yahoo_quoted"><div><div>'
        f"{head.replace('<', '&lt;')}</div><div><br></div><div>{mail.html}</div></div></div></body>"
    )
    proton = (
        "3\n10\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n"
        f"On Sunday, November 22nd, 2026 at 12:10, {ANN} wrote:\n\n{mail.marked()}\n"
    )
    mobile = (
        "-------- Original Message --------\nOn 22/11/2026 12:10, Rhea < rhea@example.org> wrote:"
    )
    gmx = f"Gesendet: Sonntag, 22. November 2026 um 12:10 Uhr\nVon: {ANN}\nAn: bo@example.org\n"
    gmx += f"Betreff: {mail.subject}\n"
    return {
        "yahoo": Shape(f" 3\n10\n\n    {head}  \n \n {unmarked}  \n", yahoo, "quoted-printable"),
        "yahoo-html-only": Shape("", yahoo, "base64"),
        "proton": Shape(proton, cte="quoted-printable"),
        "proton-mobile": Shape(f"3, 10\n\n\n{mobile}\n\n> {mail.text}\n", cte="quoted-printable"),
        "gmx": Shape(f"3\n10\n\n{gmx}\n{mail.text}\n", cte="quoted-printable"),
        "roundcube": Shape(f"3\n10\n\nOn 2026-11-22 12:10, Rhea wrote:\n\n{mail.marked()}\n",
                           more="; format=flowed"),
    }  # fmt: skip


def encodings(mail: Quoting) -> Shapes:
    head = f"On Sun, 22 Nov 2026 at 12:10, {ANN} wrote:"
    quoted = f"\n{head}\n{mail.marked()}\n"
    words = "I would like: \ncooperation 3 for the body of b1\nlong neck 3 on b1\n"
    return {
        "soft-breaks": (Shape(words + quoted, "", "quoted-printable"), 17),
        "smart-quotes": Shape(
            f"“cooperation 3: b1 body”,\n‘long neck 3 on b1’,\n„done“\n{quoted}",
            cte="quoted-printable", charset="utf-8"),
        "windows-1252": Shape(f"“cooperation 3 : b1 body”\n– 10\n\n{head}\n",
                              cte="8bit", charset="windows-1252"),
        "no-break-spaces": Shape(
            f"cooperation\u00a03:\u00a0b1\u00a0body\nlong\u202fneck\u00a03\u00a0on\u00a0b1\n{quoted}",
            cte="base64"),
        "crlf": Shape(f"3\n10\n{quoted}", crlf=True),
        "utf-16": Shape(f"3\n10\n\n{head}\n", cte="base64", charset="utf-16"),
        "full-width-digits": Shape(f"３\n１０\n{quoted}", cte="base64"),
        "zero-width": Shape(f"3\u200b\n\ufeff10\n{quoted}", cte="quoted-printable"),
        "bullets": Shape(f"- 3\n• 10\n{quoted}", cte="quoted-printable"),
        "numbered-words": Shape(
            f"3: cooperation 3 for the body of b1\n10) long neck 3 on b1\n16 done\n{quoted}"),
        "order-lines": Shape(
            f'Play = ["cooperation 3: b1 body", "long neck 3 on b1"]\n'
            "FEED: Plants First, then prey\n"
            f"always feed: scarce plants first, then prey, then plants\n{quoted}"),
    }  # fmt: skip


def wrote(mail: Quoting) -> Shapes:
    """The line above the quoted mail in other languages."""
    heads = {
        "german": f"Am So., 22. Nov. 2026 um 12:10 Uhr schrieb {ANN}:",
        "french": f"Le dim. 22 nov. 2026 à 12:10, {ANN} a écrit\u00a0:",
        "spanish": "El dom, 22 nov 2026 a las 12:10, Rhea (<rhea@example.org>) escribió:",
        "portuguese": f"Em dom., 22 de nov. de 2026 às 12:10, {ANN} escreveu:",
        "polish": f"niedz., 22 lis 2026 o 12:10 {ANN} napisał(a):",
        "dutch": f"Op zo 22 nov 2026 om 12:10 schreef {ANN}:",
        "italian": f"Il giorno dom 22 nov 2026 alle ore 12:10 {ANN} ha scritto:",
        "russian": f"вс, 22 нояб. 2026\u202fг. в 12:10, {ANN}:",
        "japanese": f"2026年11月22日(日) 12:10 {ANN}:",
        "swedish": f"Den sön 22 nov. 2026 kl 12:10 skrev {ANN}:",
        "chinese": f"{ANN} 于2026年11月22日周日 12:10写道：",
        "turkish": f"{ANN}, 22 Kas 2026 Paz, 12:10 tarihinde şunu yazdı:",
    }
    made: Shapes = {
        f"wrote-{name}": Shape(f"3\n10\n\n{head}\n\n{mail.marked()}\n", cte="quoted-printable")
        for name, head in heads.items()
    }
    cut = "Le dim. 22 nov. 2026 à 12:10, Rhea\n<rhea@example.org> a écrit\u00a0:\n\n"
    made["wrote-french-unmarked"] = Shape(f"3\n10\n\n{cut}{mail.text}\n", cte="base64")
    return made


def people(mail: Quoting) -> Shapes:
    """What people add, forget and mistake."""
    quoted = f"\nOn Sun, 22 Nov 2026 at 12:10, {ANN} wrote:\n{mail.marked()}\n"
    return {
        "greeting-and-signature": Shape(
            f"Hi Rhea,\n\nhere is my move for today:\n\n3, 10\n\nBest wishes\nBo\n\n-- \nBo Smith\n"
            f"12 High Street\n+44 555 123 4567\n{quoted}"),
        "disclaimer": Shape(f"3\n10\n\nBo\n\n{DISCLAIMER}\n{quoted}"),
        "no-quote": Shape("3\n10\n"),
        "polite": Shape(f"I'll take 3 and 10, please. Thanks!\n{quoted}"),
        "questions": Shape(f"help\nExplain long neck?\nstatus\n{quoted}"),
        "order-and-question": Shape(f"3, 10\n\nshow\n{quoted}"),
        "wrong-number": Shape(f"3\n77\n{quoted}"),
        "wrong-card": Shape(f"horns 4 on b1\n{quoted}"),
        "typing-error": Shape(f"long nek 3 on b1\n{quoted}"),
        "only-chat": Shape(f"Nice game so far! I will answer tonight.\n{quoted}"),
        "empty": Shape(quoted),
        "start-over": Shape(f"Start over.\n{quoted}"),
        "picture-attached": Shape(
            f"3\n10\n{quoted}", attachment='Content-Type: image/png; name="table.png"\n'
            'Content-Disposition: attachment; filename="table.png"\n'
            "Content-Transfer-Encoding: base64\n\niVBORw0KGgo=\n"),
        "file-attached": Shape(
            f"3\n10\n{quoted}", attachment='Content-Type: text/plain; name="notes.txt"\n'
            'Content-Disposition: attachment; filename="notes.txt"\n\n5\n15\n'),
        "answer-of-an-answer": Shape(f"> > 5\n> 7\n3\n10\n{quoted}"),
    }  # fmt: skip


def machines(mail: Quoting) -> Shapes:
    """What programs answer: none of it counts, and none is answered."""
    away = "I am out of the office until 30 November 2026.\n"
    bounce = "Your message could not be delivered to bo@example.org.\n550 5.1.1 unknown user\n"
    return {
        "vacation": Shape(away, fields="Auto-Submitted: auto-replied\n"),
        "vacation-exchange": Shape(
            away, subject=f"Automatic reply: {mail.subject}", fields="X-MS-Has-Attach: no\n"),
        "bounce": Shape(bounce + mail.text, fields="Return-Path: <>\n"),
        "mailing-list": Shape(
            f"3\n10\n\n{mail.marked()}\n", fields="List-Id: <friends.example.org>\n"
            "Precedence: list\n"),
    }  # fmt: skip
