"""Marks that give a text's source away whatever it says: markup, addresses, and a few signs in other languages."""

from typing import Final, Literal

Kind = Literal[
    "self_reference",
    "model_name",
    "refusal",
    "address",
    "task",
    "study",
    "circumstances",
    "own_work",
    "own_post",
    "own_life",
    "own_name",
    "author_name",
    "contact",
    "disguise",
    "markup",
    "truncated",
]
Severity = Literal[1, 2, 3]
SURELY: Final[Severity] = 3
PROBABLY: Final[Severity] = 2
PERHAPS: Final[Severity] = 1

MARKUP: Final = (
    r"\*\*|(?<!\w)__(?=[^\W_])|~~|```|`[^`\n]+`|(?<![\w*])\*\w[^*\n]*\*(?![\w*])",
    r"(?m:^(?:#{1,6}|[>*+]) (?=\S)|^\|[^\n]*\|$|^(?:- )?\[[ x]\] )",
    r"!?\[[^\[\]\n]{0,999}\]\([^()\s]{0,999}[()]|\[\^\w{1,30}\]|【[^【】\n]{0,99}】|:contentReference\b|\bciteturn\d\w{1,99}",
    r"</?[A-Za-z][\w-]{0,30}(?:\s{1,9}[\w-]{1,30}=[^<>\n]{0,999}|\s{0,9}/?)>|<\|[^|\n]{0,99}\|>|&(?:[a-z]{2,6}|#\d{1,9});",
    r"\\[a-z]{1,30}\{|\\[()\[\]]|\$\$|(?<![\w$])\$[A-Za-z\\](?:[^$\n]{0,40}[^\s$])?\$(?!\w)",
    r"\[(?:Insert|Name|Your|[Cc]itation needed)\b[^\[\]\n]{0,199}[\[\]]|\{\{[^{}\n]{0,199}\}\}",
    "[\u2600-\u27bf\U0001f300-\U0001faff]",  # pictures that models put where Markdown has a bullet
)

CONTACT: Final = (
    r"(?<![\w.+-])[\w.+-]+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}",
    r"\b[\w.+-]{1,64} ?[(\[]at[)\]] ?[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}",
    r"(?<!\d)\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b",  # an ORCID iD
    r"(?i:\borcid\.org/)",
)

_DE_MODEL: Final = r"(?:KI|Sprachmodell|Chatbot|künstliche Intelligenz|Computerprogramm|Assistent|Maschine)"
_FR_MODEL: Final = (
    r"(?:IA|modèle de langage|intelligence artificielle|chatbot|agent conversationnel|assistant virtuel)"
)
_ES_MODEL: Final = r"(?:IA|modelo de lengua(?:je)?|inteligencia artificial|chatbot|asistente virtual)"
_IT_MODEL: Final = (
    r"(?:IA|modello linguistico|modello di linguaggio|intelligenza artificiale|chatbot|assistente virtuale)"
)
_PT_MODEL: Final = r"(?:IA|modelo de linguagem|inteligência artificial|chatbot|assistente virtual)"

_FIRST_WORDS: Final = {
    "German": "ich mein meine meinem meinen meiner als hier gute ohne lassen wortlimit aufgabenstellung es worter",
    "French": "je j'ai j'enseigne mes mon ma en voici n'hesitez bien excellente limite nombre dans l'enonce sans j'espere",
    "Spanish": "mis mi soy como siendo fui he no estoy espero aqui claro limite numero en lo sin doy enseno por buena",
    "Italian": "mio mia miei come sono essendo in non ecco spero fammi ottima certo limite nel mi senza insegno",
    "Portuguese": "meus meu minha como sou sendo fui nao espero aqui claro otima excelente limite no desculpe lamento sem leciono dou",
}
FIRST_WORDS: Final = {language: frozenset(words.split()) for language, words in _FIRST_WORDS.items()}
"""Words, without accents, of which one stands wherever a sign of the language does."""

OTHER_LANGUAGES: Final[dict[Kind, tuple[tuple[str, str], ...]]] = {
    "self_reference": (
        (
            rf"(?i:\b(?:als|ich bin) (?:nur |bloß )?(?:(?:eine?|großes) )?(?:\w{{1,20}} ){{0,2}}?(?:KI-)?{_DE_MODEL}"
            r"|\bich (?:wurde|bin) (?:\w{1,20} ){0,4}?(?:trainiert|programmiert|entwickelt)\b"
            r"|\bmein(?:e|en|er|em)? (?:Trainingsdaten|Training\b|Wissensstand|Entwickler)|\bich habe kein(?:e|en)? (?:Körper"
            r"|Bewusstsein|Gefühle|persönlichen? (?:Meinung|Erfahrung)))",
            "says in German that it is a model",
        ),
        (
            rf"(?i:\b(?:en tant qu(?:e |')(?:simple )?|je (?:ne )?suis (?:qu')?(?:une? |juste une? )?)(?:une? )?(?:grand )?{_FR_MODEL}\b"
            r"|\bj'ai été (?:entraîn|programm|conçu|form)\w{1,5} (?:par|sur|pour)\b|\bmes (?:données d'entraînement|concepteurs|développeurs|connaissances s'arrêtent)"
            r"|\bmon entraînement\b|\bje n'ai pas (?:de |d')(?:corps|conscience|émotions|sentiments|opinions? personnelles?))",
            "says in French that it is a model",
        ),
        (
            rf"(?i:\b(?:como|soy|siendo) (?:solo |s[oó]lo )?(?:una? )?(?:gran )?{_ES_MODEL}\b"
            r"|\b(?:fui|he sido|estoy) (?:entrenad|program|diseñad|desarrollad)\w{1,5} (?:por|con|para|en)\b|\bmis (?:datos de entrenamiento"
            r"|desarrolladores|creadores|programadores)|\bmi (?:entrenamiento|conocimiento llega)|\bno tengo (?:cuerpo|conciencia|emociones|sentimientos"
            r"|opiniones personales|acceso a internet))",
            "says in Spanish that it is a model",
        ),
        (
            rf"(?i:\b(?:come|in quanto|sono|essendo) (?:solo |soltanto )?(?:un'? ?a? ?)?(?:grande )?{_IT_MODEL}\b"
            r"|\bsono stat[oa] (?:addestrat|programmat|progettat|sviluppat)\w\b|\bi miei (?:dati di addestramento|sviluppatori|creatori)"
            r"|\bil mio addestramento\b|\bnon ho (?:un corpo|coscienza|emozioni|sentimenti|opinioni personali))",
            "says in Italian that it is a model",
        ),
        (
            rf"(?i:\b(?:como|sou|sendo) (?:apenas |só )?(?:uma? )?(?:grande )?{_PT_MODEL}\b"
            r"|\b(?:fui|estou) (?:treinad|programad|projetad|desenvolvid)\w{1,3}\b|\bmeus (?:dados de treinamento|dados de treino|desenvolvedores"
            r"|criadores)|\bmeu (?:treinamento|treino)\b|\bnão tenho (?:corpo|consciência|emoções|sentimentos|opiniões pessoais))",
            "says in Portuguese that it is a model",
        ),
        (
            r"作为(?:一个|一名|一款)?(?:大型|人工智能|AI|语言|大语言){1,3}(?:模型|助手|系统)?|我(?:只)?是(?:一个|一款|一名|由)?[^，。]{0,12}?(?:语言模型|人工智能|AI助手|聊天机器人)"
            r"|我的(?:训练数据|知识截止|知识库|开发者|训练)|我没有(?:个人)?(?:情感|意识|身体|观点|感受)|我(?:是|被)[^，。]{0,9}训练",
            "says in Chinese that it is a model",
        ),
    ),
    "own_post": (
        (
            r"\b(?i:(?:an|in|von|mit|auf) mein(?:em|er|en)) (?:Universität|Lehrstuhl|Institut|Fakultät|Hochschule|Seminar|Klinik|Labor|Abteilung|Vorlesung)"
            r"|\b(?i:mein(?:e|en|er|em)?) (?:\w{1,20} )?(?:Studierenden?|Studenten|Studentinnen|Doktorand\w{0,7}|Dissertation|Habilitation|Promotion|Buch|Monographie"
            r"|Feldforschung|Aufsatz|Vorlesung\w{0,2}|Lehrstuhl|Kollegen|Kolleginnen|Forschung)"
            r"|\b(?i:ich bin) (?i:seit \w{1,9} jahren )?(?:Professor|Dozent|Lehrer|Anwält|Anwalt|Ärzt|Arzt|Richter)|\b(?i:ich (?:unterrichte|lehre)) ",
            "speaks in German of its own work or post",
        ),
        (
            r"(?i:\b(?:mes (?:étudiants|étudiantes|élèves|doctorants|collègues|recherches|travaux)|mon (?:livre|université|laboratoire|département|article|enquête"
            r"|terrain)|ma (?:thèse|chaire|faculté|monographie|recherche)|j'enseigne|je suis (?:professeure?|avocate?|maître de conf|chercheu|enseignante?|médecin)))",
            "speaks in French of its own work or post",
        ),
        (
            r"(?i:\b(?:mis (?:estudiantes|alumn[oa]s|colegas|investigaciones)|mi (?:libro|tesis|universidad|departamento|laboratorio|cátedra|facultad|artículo"
            r"|trabajo de campo|investigación)|soy (?:profesor|abogad|investigador|docente|médic)\w{0,3}|doy clases|enseño (?:en|historia|derecho|filosofía)))",
            "speaks in Spanish of its own work or post",
        ),
        (
            r"(?i:\b(?:i miei (?:studenti|colleghi|allievi|dottorandi)|il mio (?:libro|dipartimento|laboratorio|articolo|dottorato|lavoro sul campo)"
            r"|la mia (?:tesi|università|cattedra|facoltà|ricerca|monografia)|sono (?:un |una )?(?:professor|avvocat|ricercat|docente|insegnante|medic)\w{0,5}|insegno (?:a|in|all|storia|diritto|filosofia)))",
            "speaks in Italian of its own work or post",
        ),
        (
            r"(?i:\b(?:meus (?:alunos|estudantes|colegas|orientandos)|meu (?:livro|departamento|laboratório|artigo|doutorado|doutoramento|trabalho de campo)"
            r"|minha (?:tese|universidade|cátedra|faculdade|pesquisa|investigação|dissertação)|sou (?:um |uma )?(?:professor|advogad|pesquisador|docente|médic)\w{0,3}|leciono\b|dou aulas))",
            "speaks in Portuguese of its own work or post",
        ),
        (
            r"我的(?:学生|研究生|博士生|博士论文|论文|专著|著作|新书|同事|实验室|课堂|导师|田野调查|研究团队)|我(?:在|于)[^，。]{1,15}(?:大学|学院|研究所)(?:任教|教书|工作|教)|我是[^，。]{0,9}(?:教授|讲师|律师|医生|研究员)|本人",
            "speaks in Chinese of its own work or post",
        ),
    ),
    "address": (
        (
            r"(?i:\bich hoffe,? (?:das|dies) hilft|\bgern(?:e)? (?:kann|helfe|erläutere|führe) ich|\bhier ist (?:mein|der|ein) (?:\w{1,20} ){0,3}?(?:Essay|Text|Aufsatz|Antwort)"
            r"|\b(?:wortlimit|wortzahl|wörter(?:grenze|n begrenzt)|aufgabenstellung|in (?:der vorgegebenen|den vorgegebenen|der kurzen) (?:zeit|wörtern))\b|\bohne (?:hilfe (?:von|einer) )?KI\b"
            r"|\blassen sie mich wissen|\bgute frage!|\bich kann (?:dabei|ihnen|dir) nicht (?:helfen|weiterhelfen)|\bes tut mir leid, aber ich kann)",
            "speaks in German to whoever asked, or of its task",
        ),
        (
            r"(?i:\bj'espère que (?:cela|ceci|ça) (?:vous )?(?:aide|aidera)|\bvoici (?:ma|mon|un|une) (?:\w{1,20} ){0,3}?(?:réponse|essai|texte|dissertation)|\bn'hésitez pas|\bbien sûr ?!|\bexcellente question"
            r"|\b(?:limite|nombre) de mots|\bdans le temps (?:imparti|qui m'est)|\bl'énoncé (?:me )?demande|\bje (?:suis désolée?|regrette),? mais je ne peux|\bsans (?:l'aide d'une |recourir à l'|aucune )?IA\b)",
            "speaks in French to whoever asked, or of its task",
        ),
        (
            r"(?i:\bespero que (?:esto|te|le|les) (?:te |le )?(?:ayude|sirva|sea)|\baquí (?:está|tienes|tiene) (?:mi|un|una|el|la|tu|su) (?:\w{1,20} ){0,3}?(?:respuesta|ensayo|texto)|\bno dudes en|\bclaro,? aquí|\b¡(?:claro|por supuesto|buena pregunta|excelente pregunta)"
            r"|\b(?:límite|número) de palabras|\ben el tiempo (?:asignado|disponible|dado|que tengo)|\blo siento,? pero no puedo|\bsin (?:ayuda de |usar )(?:la |ninguna )?IA\b)",
            "speaks in Spanish to whoever asked, or of its task",
        ),
        (
            r"(?i:\bspero che (?:questo|ciò|ti|le|vi) (?:ti |vi )?(?:sia|aiuti|possa)|\becco (?:la mia|il mio|un|una|il|la) (?:\w{1,20} ){0,3}?(?:risposta|saggio|testo)|\bnon esitare|\bfammi sapere|\bottima domanda|\bcerto,? ecco"
            r"|\blimite di parole|\bnel tempo (?:a disposizione|assegnato|che ho)|\bmi dispiace,? ma non posso|\bsenza (?:l'aiuto di |usare )?(?:l'|alcuna )?IA\b)",
            "speaks in Italian to whoever asked, or of its task",
        ),
        (
            r"(?i:\bespero que (?:isto|isso) (?:ajude|seja|te)|\baqui (?:está|vai|tem) (?:a minha|o meu|um|uma|o|a|minha|meu) (?:\w{1,20} ){0,3}?(?:resposta|ensaio|texto|redação)|\bnão hesite em|\bclaro,? aqui|\bótima pergunta|\bexcelente pergunta"
            r"|\blimite de palavras|\bno tempo (?:disponível|dado|que tenho|atribuído)|\bdesculpe,? mas não posso|\blamento,? mas não posso|\bsem (?:ajuda de |usar )(?:nenhuma )?IA\b)",
            "speaks in Portuguese to whoever asked, or of its task",
        ),
        (
            r"希望(?:这|以上|对你|对您)[^，。]{0,12}(?:帮助|有用)|如果(?:你|您)(?:需要|想|有)[^，。]{0,15}(?:我可以|请告诉|问题)|以下是(?:我|一篇|您|你|为)[^，。]{0,20}|当然[！!]|很抱歉，?我(?:不能|无法)|我无法(?:提供|回答|协助)"
            r"|字数(?:限制|要求)|题目要求|规定(?:的)?(?:时间|字数)|没有使用(?:任何)?(?:AI|人工智能)|请告诉我",
            "speaks in Chinese to whoever asked, or of its task",
        ),
    ),
}
