#!/usr/bin/env python3
"""Makes the files beside this one, with programs that are not ours: LibreOffice (with python3-uno), openpyxl,
XlsxWriter and xlwt. The tests use the files as they are committed; run this only to change what they hold:

    apt-get install libreoffice-calc-nogui libreoffice-writer-nogui python3-uno
    pip install openpyxl XlsxWriter xlwt
    python3 make-files.py
"""

import datetime
import os
import pathlib
import subprocess
import time

import openpyxl
import uno
import xlsxwriter
import xlwt
from com.sun.star.beans import NamedValue, PropertyValue
from com.sun.star.lang import Locale

HERE = pathlib.Path(__file__).parent
HEADER = ["PickUpPoint", "EmailAddress", "PhoneNumber", "FirstName", "LastName", "LanguageCode", "Remarks"]


def start_libreoffice():
    pipe = f"make-files-{os.getpid()}"
    process = subprocess.Popen(["soffice", "--headless", "--norestore", f"--accept=pipe,name={pipe};urp;"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    while True:
        try:
            context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            return process, context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        except Exception:
            time.sleep(0.2)


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def named_values(**values):
    pairs = tuple(NamedValue(Name=name, Value=value) for name, value in values.items())
    return uno.Any("[]com.sun.star.beans.NamedValue", pairs)


def fill(document):
    """The sheet that every workbook and CSV file of LibreOffice holds; files.test.ts says what becomes of each row."""
    sheet = document.Sheets.getByIndex(0)
    sheet.Name = "Residents"
    document.Sheets.insertNewByName("Notes", 1)
    document.Sheets.getByIndex(1).getCellByPosition(0, 0).String = "another sheet is not looked at"

    def text(row, column, value):
        sheet.getCellByPosition(HEADER.index(column), row - 1).String = value

    def number(row, column, value, code=None):
        cell = sheet.getCellByPosition(HEADER.index(column), row - 1)
        cell.Value = float(value)
        if code:
            formats = document.NumberFormats
            key = formats.queryKey(code, Locale("en", "US", ""), False)
            cell.NumberFormat = key if key >= 0 else formats.addNew(code, Locale("en", "US", ""))

    def formula(row, column, value):
        sheet.getCellByPosition(HEADER.index(column), row - 1).Formula = value

    for column in HEADER:
        text(1, column, column)
    text(2, "EmailAddress", "zoe@example.com")
    text(2, "PhoneNumber", "+31612345678")
    text(2, "FirstName", "Zoë")
    text(2, "LastName", "Müller; jr")
    text(2, "LanguageCode", "nl-NL")
    text(2, "Remarks", 'says "hi"\nand €5')
    text(2, "PickUpPoint", "Central")
    text(3, "EmailAddress", "number@example.com")
    number(3, "PhoneNumber", 31612345678)
    text(4, "EmailAddress", "format@example.com")
    number(4, "PhoneNumber", 31612345670, '"+"0')
    formula(5, "EmailAddress", '=LOWER("FORMULA@EXAMPLE.COM")')
    number(5, "Remarks", 46082, "YYYY-MM-DD")
    text(6, "EmailAddress", "odd@example.com")
    formula(6, "FirstName", "=TRUE()")
    formula(6, "LastName", "=1/0")
    number(6, "Remarks", 0.25, "0%")
    text(8, "EmailAddress", "ZOE@example.com")
    text(9, "EmailAddress", "injected@example.com")
    text(9, "FirstName", "=1+1")
    text(9, "Remarks", "@SUM(1)")
    # Rows that were formatted and never filled.
    sheet.getCellRangeByPosition(0, 20, 6, 60).CellBackColor = 0xEEEEEE


def make_with_libreoffice():
    process, desktop = start_libreoffice()
    try:
        document = desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, properties(Hidden=True))
        fill(document)

        def store(name, filter_name, **more):
            document.storeToURL((HERE / name).as_uri(), properties(FilterName=filter_name, **more))

        csv = "Text - txt - csv (StarCalc)"
        # 59 is ;, 34 is ", then the character set; true: cells as they are shown.
        store("libreoffice-utf-8.csv", csv, FilterOptions="59,34,76,1,,0,false,true,true,false,false,0")
        store("libreoffice-utf-16.csv", csv, FilterOptions="59,34,65535,1,,0,false,true,true,false,false,0")
        store("libreoffice-windows-1252.csv", csv, FilterOptions="59,34,1,1,,0,false,true,true,false,false,0")
        store("libreoffice-comma.csv", csv, FilterOptions="44,34,76,1,,0,false,true,true,false,false,0")
        store("libreoffice.xlsx", "Calc MS Excel 2007 XML")
        store("libreoffice.xls", "MS Excel 97")
        # What its password dialog hands over.
        store("libreoffice-encrypted.xlsx", "Calc MS Excel 2007 XML", EncryptionData=named_values(CryptoType="Standard", OOXPassword="secret"))
        key = uno.ByteSequence(bytes(range(16)))
        store("libreoffice-encrypted.xls", "MS Excel 97", EncryptionData=named_values(STD97EncryptionKey=key, STD97UniqueID=key))
        store("libreoffice.ods", "calc8")
        store("libreoffice-flat.fods", "OpenDocument Spreadsheet Flat XML")
        store("libreoffice-html.xls", "HTML (StarCalc)")
        store("libreoffice.pdf", "calc_pdf_Export")
        document.close(True)
        letter = desktop.loadComponentFromURL("private:factory/swriter", "_blank", 0, properties(Hidden=True))
        letter.Text.String = "EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint"
        letter.storeToURL((HERE / "libreoffice.docx").as_uri(), properties(FilterName="MS Word 2007 XML"))
        letter.storeToURL((HERE / "libreoffice.doc").as_uri(), properties(FilterName="MS Word 97"))
        letter.close(True)
    finally:
        desktop.terminate()
        process.wait(30)


def rows():
    """What the other programs write: a row in which every kind of cell comes."""
    day = datetime.date(2026, 3, 1)
    yield HEADER
    yield ["pup-central", "zoe@example.com", "+31612345678", "Zoë", "Müller", "nl-NL", "€5"]
    yield ["", "number@example.com", 31612345678, "", "", "", ""]
    yield ["Station", "date@example.com", "0031612345679", "", "", "", day]


def make_with_others():
    workbook = openpyxl.Workbook()
    for row in rows():
        workbook.active.append(row)
    workbook.save(HERE / "openpyxl.xlsx")

    # constant_memory writes texts into the cells instead of into a shared table.
    written = xlsxwriter.Workbook(str(HERE / "xlsxwriter.xlsx"), {"constant_memory": True, "default_date_format": "yyyy-mm-dd"})
    sheet = written.add_worksheet()
    for number, row in enumerate(rows()):
        for column, value in enumerate(row):
            sheet.write(number, column, value)
    written.close()

    old = xlwt.Workbook()
    sheet = old.add_sheet("Residents")
    day = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for number, row in enumerate(rows()):
        for column, value in enumerate(row):
            sheet.write(number, column, value, day if isinstance(value, datetime.date) else xlwt.Style.default_style)
    old.save(str(HERE / "xlwt.xls"))


make_with_libreoffice()
make_with_others()
