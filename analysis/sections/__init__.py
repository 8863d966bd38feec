"""What a report is made of: sections, the pictures and tables that they show, the sentences that they say."""
